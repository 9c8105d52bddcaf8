import { execFileSync } from "node:child_process"
import { mkdirSync, rmSync } from "node:fs"
import { bundle } from "./build.ts"

// In your project: `node build.ts && node dist/server.js`.
const dist = "node_modules/.dist"
mkdirSync(dist, { recursive: true })
await bundle(
  dist,
  process.execArgv.flatMap((argument) => argument.split("--conditions=").slice(1)),
)
process.stdout.write(execFileSync(process.execPath, [`${dist}/server.js`], { encoding: "utf8" }))
rmSync("node_modules", { recursive: true })
