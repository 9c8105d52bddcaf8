import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { CommandFailed } from "../CommandFailed.ts"
import { adapterFiles } from "../scaffold/adapter.ts"
import { executorFiles } from "../scaffold/executor.ts"

const nameForm = /^[a-z][a-z0-9-]{0,39}$/

const kinds = { executor: executorFiles, adapter: adapterFiles } as const

const version = (): string => {
  const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"))
  return String(manifest.version)
}

/** Makes the folder `atelier-NAME` with a plugin that works as it is, and its test. */
export const scaffold = Effect.fnUntraced(function* (input: {
  readonly kind: keyof typeof kinds
  readonly name: string
}) {
  const { kind, name } = input
  if (!nameForm.test(name)) {
    const message = `a name is 1 to 40 lower-case letters, digits and hyphens, a letter first; got ${JSON.stringify(name)}`
    return yield* new CommandFailed({ message })
  }
  const folder = resolve(`atelier-${name}`)
  if (existsSync(folder)) return yield* new CommandFailed({ message: `${folder} is there already` })
  const files = kinds[kind](name, version())
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  yield* Console.log(
    [
      `made atelier-${name}: ${Object.keys(files).join(", ")}`,
      `use it: "plugins": ["./atelier-${name}/src/plugin.ts"] in the configuration; its README.md goes on`,
    ].join("\n"),
  )
})
