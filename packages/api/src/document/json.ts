/** A part of the document. */
export interface Json {
  [name: string]: unknown
}

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** A member that the document must have. */
export const at = (value: Json, name: string): Json => {
  const member = value[name]
  if (!isObject(member))
    throw new Error(`the OpenAPI document has no ${name} in ${JSON.stringify(value).slice(0, 200)}`)
  return member
}

/** The same with every member, at any depth, given to `change` from the inside out. */
export const mapObjects = (value: unknown, change: (object: Json) => Json): unknown => {
  if (Array.isArray(value)) return value.map((item) => mapObjects(item, change))
  if (!isObject(value)) return value
  return change(
    Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapObjects(member, change)])),
  )
}
