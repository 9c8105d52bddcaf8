import { registerHooks } from "node:module"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { root } from "../../scripts/workspace.ts"

/** The generator asks for any TypeScript, and needs the compiler's API: that of the client's older version. */
const parentURL = pathToFileURL(join(root, "packages", "client", "package.json")).href
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "typescript" ? next(specifier, { ...context, parentURL }) : next(specifier, context),
})

const [input = "", output = ""] = process.argv.slice(2)
const { createClient } = await import("@hey-api/openapi-ts")
await createClient({ input, output, logs: { level: "silent" } })
