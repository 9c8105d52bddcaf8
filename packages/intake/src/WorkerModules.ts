import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/**
 * The folder of the modules that other processes and threads load, in an application that is bundled: each is there
 * under its name, such as `parsing-process.js`. Undefined: each lies beside the module that starts it.
 */
export const WorkerModules = Context.Reference<string | undefined>("@atelier/intake/WorkerModules", {
  defaultValue: () => undefined,
})

/** A module that another process or thread loads is not where it is looked for. The message says what to do. */
export class WorkerModuleMissing extends Error {
  override readonly name = "WorkerModuleMissing"

  constructor(name: string, path: string) {
    super(
      `The module ${name} is not at ${path}. A bundler takes along what is imported, and this one is loaded by another process: bundle it as an entry point of its own, and name the folder with the setting \`workerModules\`; or leave @atelier/* out of the bundle.`,
    )
  }
}

/** Where the module `name` is, whose URL outside of a bundle is `url`; dies with `WorkerModuleMissing`. */
export const locateModule = (name: string, url: string): Effect.Effect<string> =>
  Effect.flatMap(WorkerModules, (folder) => {
    const located = folder === undefined ? url : pathToFileURL(join(resolve(folder), `${name}.js`)).href
    if (!located.startsWith("file:") || existsSync(fileURLToPath(located))) return Effect.succeed(located)
    return Effect.die(new WorkerModuleMissing(name, fileURLToPath(located)))
  })
