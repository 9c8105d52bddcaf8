import { document, nameOf, type Schema, schemaOf } from "./document.ts"
import { escape, inline } from "./html.ts"

/** What a value may be, in a few words; names of objects are links. */
const typeOf = (schema: Schema): string => {
  const name = nameOf(schema)
  if (name !== undefined) {
    const { type, enum: values } = schemaOf(schema)
    const text = name === "ErrorCode" || values === undefined ? escape(name) : escape(String(type))
    return `<a href="#object-${name}">${text}</a>`
  }
  const branches = schema.anyOf ?? schema.oneOf
  if (branches !== undefined) return [...new Set(branches.map(typeOf))].join(" or ")
  if (schema.allOf !== undefined) return schema.allOf.map(typeOf).join(" and ")
  if (schema.items !== undefined) return `array of ${typeOf(schema.items)}`
  if (schema.enum?.length === 1) return `<code>${escape(String(schema.enum[0]))}</code>`
  if (typeof schema.additionalProperties === "object") return `map of ${typeOf(schema.additionalProperties)}`
  return escape([schema.type ?? "anything"].flat().join(" or "))
}

const boundsOf = (schema: Schema): string => {
  const values = schema.enum ?? schema.items?.enum ?? []
  const parts = [
    ...(values.length > 1 ? [values.map((value) => `<code>${escape(String(value))}</code>`).join(" ")] : []),
    ...(schema.minimum !== undefined && schema.maximum !== undefined
      ? [`${schema.minimum} to ${schema.maximum}`]
      : schema.minimum !== undefined
        ? [`at least ${schema.minimum}`]
        : []),
    ...(schema.maxLength === undefined ? [] : [`at most ${schema.maxLength} characters`]),
    ...(schema.default === undefined ? [] : [`default <code>${escape(String(schema.default))}</code>`]),
  ]
  return parts.length === 0 ? "" : `<p class="bounds">${parts.join(" · ")}</p>`
}

/** One row of a list of fields or parameters. */
export const row = (name: string, schema: Schema, description: string, need: string): string =>
  `<div class="field"><dt><code>${escape(name)}</code> <span class="type">${typeOf(schema)}</span>${need}</dt>
<dd><p>${inline(description)}</p>${boundsOf(schema)}${nested(schema)}</dd></div>`

const nested = (schema: Schema): string => {
  const inner = schema.properties === undefined ? schema.items : schema
  return inner?.properties === undefined ? "" : fields(inner)
}

const required = '<span class="need">required</span>'
const optional = '<span class="need may">optional</span>'

/** The fields of an object, with those of the objects that have no name of their own. */
const fields = (schema: Schema): string => {
  const parts = [schema, ...(schema.allOf ?? [])]
  const rows = parts.flatMap(({ properties = {}, required: names = [] }) =>
    Object.entries(properties).map(([name, property]) =>
      row(
        name,
        property,
        property.description ?? schemaOf(property).description ?? "",
        names.includes(name) ? required : optional,
      ),
    ),
  )
  return rows.length === 0 ? "" : `<dl>${rows.join("\n")}</dl>`
}

/** The fields of a body, or the name of the object that it is. */
export const bodyFields = (schema: Schema): string => {
  const found = schemaOf(schema)
  const list = fields(found)
  return list === "" ? `<p>${typeOf(schema)}</p>` : list
}

export const typeLink = typeOf

/** Every object that has a name. */
export const objects = (): string =>
  Object.entries(document.components.schemas)
    .map(([name, schema]) => {
      const values = (schema.enum ?? [])
        .map((value) => `<li><code>${escape(String(value))}</code></li>`)
        .join("")
      const branches = schema.oneOf ?? schema.anyOf
      const parts = branches === undefined ? "" : `<p>${branches.map(typeOf).join(" or ")}</p>`
      return `<details class="object" id="object-${name}"><summary><h3>${escape(name)}</h3></summary>
<p>${inline(schema.description ?? "")}</p>${parts}${values === "" ? fields(schema) : `<ul class="values">${values}</ul>`}</details>`
    })
    .join("\n")
