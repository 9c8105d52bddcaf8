import { openApiDocument } from "@atelier/api"

/** A schema, as far as the page shows it. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | ReadonlyArray<string>
  readonly description?: string
  readonly enum?: ReadonlyArray<unknown>
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly format?: string
  readonly required?: ReadonlyArray<string>
  readonly properties?: { readonly [name: string]: Schema }
  readonly additionalProperties?: Schema | boolean
  readonly items?: Schema
  readonly anyOf?: ReadonlyArray<Schema>
  readonly oneOf?: ReadonlyArray<Schema>
  readonly allOf?: ReadonlyArray<Schema>
  readonly examples?: ReadonlyArray<unknown>
}

export interface Parameter {
  readonly name: string
  readonly in: "path" | "query" | "header"
  readonly required?: boolean
  readonly description: string
  readonly schema: Schema
}

interface Content {
  readonly [mediaType: string]: {
    readonly schema: Schema
    readonly example?: unknown
    readonly examples?: { readonly [name: string]: { readonly value: unknown } }
  }
}

export interface Response {
  readonly $ref?: string
  readonly description?: string
  readonly content?: Content
}

export interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly security: ReadonlyArray<object>
  readonly parameters?: ReadonlyArray<Parameter>
  readonly requestBody?: { readonly content: Content }
  readonly responses: { readonly [status: string]: Response }
}

/** An operation with its place. */
export interface Endpoint extends Operation {
  readonly method: string
  readonly path: string
}

interface Document {
  readonly info: { readonly description: string }
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } }
  readonly webhooks: { readonly [name: string]: { readonly post: Operation } }
  readonly components: {
    readonly schemas: { readonly [name: string]: Schema }
    readonly responses: { readonly [name: string]: Response }
  }
}

/** The contract, as this page reads it. */
export const document = openApiDocument() as unknown as Document

export const endpoints: ReadonlyArray<Endpoint> = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
)

/** Name of the schema that a reference points to. */
export const nameOf = ({ $ref }: Schema): string | undefined => $ref?.split("/").at(-1)

export const schemaOf = (schema: Schema): Schema =>
  schema.$ref === undefined ? schema : (document.components.schemas[nameOf(schema) ?? ""] ?? {})

/** The example of a body: its own, or its schema's. */
export const exampleOf = (content: Content | undefined): unknown => {
  const media = content?.["application/json"]
  if (media === undefined) return undefined
  const [named] = Object.values(media.examples ?? {})
  return named?.value ?? media.example ?? schemaExample(media.schema)
}

/** The schema's own example, or one that its parts make. */
const schemaExample = (schema: Schema): unknown => {
  const found = schemaOf(schema)
  const own = found.examples?.[0]
  if (own !== undefined) return own
  const [branch] = found.oneOf ?? found.anyOf ?? []
  if (branch !== undefined) return schemaExample(branch)
  const item = found.properties?.["data"]?.items
  if (found.properties?.["object"]?.enum?.[0] !== "list" || item === undefined) return undefined
  const entry = schemaExample(item)
  if (entry === undefined) return undefined
  const page = found.properties["has_more"] === undefined ? {} : { has_more: false, last_id: idOf(entry) }
  return { object: "list", data: [entry], ...page }
}

const idOf = (entry: unknown): unknown =>
  typeof entry === "object" && entry !== null && "id" in entry ? entry.id : null
