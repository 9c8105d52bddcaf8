import { external, workerModules } from "@atelier/node/bundling"
import { build } from "esbuild"

/** Bundles the server, and beside it the modules that other processes and threads load. */
export const bundle = (outdir: string, conditions: ReadonlyArray<string> = []) =>
  build({
    entryPoints: { server: "server.ts", ...workerModules("atelier") },
    outdir,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node22",
    external: [...external],
    conditions: [...conditions],
    // Some packages are CommonJS, which asks for `require`.
    banner: {
      js: 'import { createRequire as __r } from "node:module"; const require = __r(import.meta.url);',
    },
    logLevel: "warning",
  })
