import { createRequire } from "node:module"
import { join } from "node:path"
import { openApiDocument } from "@atelier/api"
import { root } from "./workspace.ts"

/** The generator comes with the client's own development dependencies: it needs a TypeScript of an older major version. */
interface OpenApiTypeScript {
  readonly default: (document: object, options: { readonly immutable: boolean }) => Promise<unknown>
  readonly astToString: (nodes: unknown) => string
}

/** What the client's own types are made of; the schemas that they name come along. */
const roots = [
  "ErrorCode",
  "ImageRequest",
  "ImageSubmission",
  "ImageTask",
  "ToolTask",
  "ToolFile",
  "ToolResult",
  "ToolList",
  "ModelList",
  "Quote",
  "History",
  "Balance",
]

/** The schemas of `/v1` as TypeScript, made from the OpenAPI document: the client takes no package along for them. */
export const clientTypes = async (): Promise<string> => {
  const require = createRequire(join(root, "packages", "client", "package.json"))
  const generator: OpenApiTypeScript = await import(
    require.resolve("openapi-typescript").replace(/\.cjs$/, ".mjs")
  )
  const { components } = openApiDocument()
  const document = {
    openapi: "3.1.0",
    info: { title: "Atelier", version: "1" },
    paths: {},
    components: { schemas: reachable(components.schemas, roots) },
  }
  const types = generator.astToString(await generator.default(document, { immutable: true }))
  const schemas = types.replaceAll(/^export type .*Record<string, never>;\n/gm, "")
  return `// Generated from the OpenAPI document by \`npm run generate\`.\n${schemas}`
}

const reachable = (schemas: Readonly<Record<string, unknown>>, names: ReadonlyArray<string>) => {
  const found = new Map<string, unknown>()
  const visit = (name: string): void => {
    if (found.has(name)) return
    if (!(name in schemas)) throw new Error(`The OpenAPI document has no schema ${name}`)
    found.set(name, schemas[name])
    const references = JSON.stringify(schemas[name]).matchAll(/"#\/components\/schemas\/([^"]+)"/g)
    for (const [, reference = ""] of references) visit(reference)
  }
  names.forEach(visit)
  return Object.fromEntries(found)
}
