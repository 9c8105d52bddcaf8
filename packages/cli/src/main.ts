#!/usr/bin/env node
import { existsSync } from "node:fs"
import { enableCompileCache } from "node:module"
import { dirname, join } from "node:path"

/** Next to the installed packages; if that is not writable, nothing is cached. */
const cacheDirectory = (folder: string): string | undefined => {
  if (existsSync(join(folder, "node_modules"))) return join(folder, "node_modules", ".cache", "atelier")
  return folder === dirname(folder) ? undefined : cacheDirectory(dirname(folder))
}

// Compiled code is kept between runs: it starts about twice as fast, in less memory.
const directory = cacheDirectory(import.meta.dirname)
if (directory !== undefined) enableCompileCache(directory)

/** A server without arguments skips the argument parser: it is smaller and starts sooner. */
const server = async (args: ReadonlyArray<string>) => {
  if (args.length !== 1) return undefined
  if (args[0] === "serve") return (await import("./commands/Serve.ts")).serve()
  if (args[0] === "dev") return (await import("./commands/Dev.ts")).dev
  return undefined
}

const run = async (args: ReadonlyArray<string>): Promise<number> => {
  const command = await server(args)
  return command === undefined
    ? (await import("./program.ts")).program(args)
    : (await import("./exitCode.ts")).exitCode(command)
}

// Without an await at the top level: the first file requires this one.
run(process.argv.slice(2)).then((code) => {
  process.exitCode = code
})
