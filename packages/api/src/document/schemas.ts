import { fieldDescriptions } from "./fields.ts"
import { isObject, type Json } from "./json.ts"

/** Bounds that only say that a number is an integer that JavaScript can hold. */
const safeBounds = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }

/** Without bounds that say nothing to a reader, and with open objects as JSON Schema has them by default. */
export const simplified = (schema: Json): Json => {
  const result = { ...schema }
  for (const [name, bound] of Object.entries(safeBounds)) if (result[name] === bound) delete result[name]
  if (result["additionalProperties"] === true) delete result["additionalProperties"]
  return result
}

/** Gives every property of a schema that says nothing of itself its description. Throws for a name without one. */
export const describeProperties = (owner: string, schema: unknown): void => {
  if (Array.isArray(schema)) for (const item of schema) describeProperties(owner, item)
  if (!isObject(schema)) return
  const { properties } = schema
  if (isObject(properties)) {
    for (const [name, property] of Object.entries(properties)) {
      if (!isObject(property)) continue
      property["description"] ??= fieldDescriptions[`${owner}.${name}`] ?? fieldDescriptions[name]
      if (property["description"] === undefined) {
        throw new Error(`no description of ${owner}.${name} (packages/api/src/document/fields.ts)`)
      }
      describeProperties(owner, property)
    }
  }
  for (const inner of ["schema", "items", "anyOf", "oneOf", "allOf", "additionalProperties"]) {
    describeProperties(owner, schema[inner])
  }
}
