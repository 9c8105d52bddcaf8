import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"

/**
 * The folder of the built web pages. They come built with the published package; in a checkout they are built when
 * they are first asked for, in a process of its own, unless they are there from unchanged sources (decision 30).
 */
export const pages: Effect.Effect<URL, Error> = Effect.suspend(() => {
  const manifest = import.meta.resolve("@atelier/console/package.json")
  const folder = new URL("./dist/", manifest)
  const build = new URL("./build.ts", manifest)
  return existsSync(build) ? Effect.as(run(fileURLToPath(build)), folder) : Effect.succeed(folder)
})

/** A build takes a second or two. */
const buildMsMax = 60_000

const run = (script: string) =>
  Effect.callback<void, Error>((resume) => {
    const child = spawn(process.execPath, [script], {
      stdio: ["ignore", "ignore", "pipe"],
      timeout: buildMsMax,
    })
    let said = ""
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said = `${said}${text}`.slice(-2000)
    })
    child.on("error", (error) => resume(Effect.fail(error)))
    child.on("close", (code) =>
      resume(code === 0 ? Effect.void : Effect.fail(new Error(`the web pages could not be built: ${said}`))),
    )
  })
