import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { openApiDocument } from "@atelier/api"
import { configJsonSchema } from "@atelier/cli"
import { migratedSchema } from "@atelier/sql"
import { migratedPostgresSchema } from "@atelier/sql/postgres"
import * as Effect from "effect/Effect"
import { startPostgres } from "../test/support/postgresServer.ts"
import { architecturePage } from "./architecture.ts"
import { compile, modules } from "./build-wasm.ts"
import { clientTypes } from "./client-types.ts"
import { referencePage } from "./reference/page.ts"
import { statesPage } from "./states.ts"
import { root } from "./workspace.ts"

/** A committed file that is generated from the code, and how. */
export interface Generator {
  /** Its path from the repository's root. */
  readonly path: string
  readonly make: () => Promise<string>
}

/** The schema that the migrations create on a real Postgres. */
const postgresSchema = async (): Promise<string> => {
  const server = await startPostgres()
  try {
    return await Effect.runPromise(migratedPostgresSchema(await server.database()))
  } finally {
    await server.stop()
  }
}

/** Every generated file. `test/generated.test.ts` proves that each is current. */
export const generators: ReadonlyArray<Generator> = [
  { path: "docs/states.md", make: async () => statesPage() },
  { path: "docs/architecture.md", make: async () => architecturePage() },
  {
    path: "packages/api/openapi.json",
    make: async () => `${JSON.stringify(openApiDocument(), null, 2)}\n`,
  },
  { path: "packages/http/src/reference/index.html", make: async () => referencePage() },
  { path: "packages/client/src/wire.ts", make: clientTypes },
  { path: "docs/config.schema.json", make: async () => configJsonSchema() },
  { path: "packages/sql/schema/sqlite.sql", make: () => Effect.runPromise(migratedSchema) },
  { path: "packages/sql/schema/postgres.sql", make: postgresSchema },
  ...modules.map(({ source, target }) => ({
    path: relative(root, fileURLToPath(target)),
    make: () => compile(source),
  })),
]

/** The file as it is committed; undefined when it was never written. */
export const committed = ({ path }: Generator): string | undefined => {
  try {
    return readFileSync(join(root, path), "utf8")
  } catch {
    return undefined
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  for (const generator of generators) {
    const text = await generator.make()
    const changed = text !== committed(generator)
    const file = join(root, generator.path)
    mkdirSync(dirname(file), { recursive: true })
    if (changed) writeFileSync(file, text)
    console.log(`${changed ? "written " : "current "} ${generator.path}`)
  }
}
