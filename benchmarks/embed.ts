import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { installedWith } from "../scripts/installed.ts"
import { root } from "../scripts/workspace.ts"
import { report } from "./support/report.ts"

/** What an application pays for `@atelier/node`: packages and bytes installed, and the time to import it. Needs a build. */
const rounds = 15

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

/** Milliseconds that a new process takes to import a package as it is published. */
const importMillis = (name: string): number => {
  const script = `const from = performance.now(); await import("${name}"); console.log(performance.now() - from)`
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    cwd: root,
    encoding: "utf8",
  })
  if (stderr !== "") throw new Error(stderr)
  return Number(stdout)
}

/** Medians by name; the packages take turns, so that whatever else the machine does slows all of them alike. */
const timed = (names: ReadonlyArray<string>): ReadonlyMap<string, number> => {
  const all = names.map((name) => ({ name, millis: [] as number[] }))
  for (let round = 0; round < rounds; round++) {
    for (const { millis, name } of all) millis.push(importMillis(name))
  }
  return new Map(all.map(({ millis, name }) => [name, Math.round(median(millis))]))
}

const installed = installedWith(join(root, "packages/node")).filter(({ name }) => name !== "effect")
const megabytes = (bytes: number): number => Math.round(bytes / 1e5) / 10
const largest = installed.toSorted((a, b) => b.bytes - a.bytes).slice(0, 4)

report({
  name: "embed",
  title: "What @atelier/node on SQLite brings along",
  rows: [
    { what: "packages beside effect", value: installed.length },
    { what: "their files, MB", value: megabytes(installed.reduce((sum, { bytes }) => sum + bytes, 0)) },
    ...[...timed(["effect", "@atelier/core", "@atelier/node", "@atelier/node/testing"])].map(
      ([name, value]) => ({ what: `import ${name}, ms`, value }),
    ),
  ],
  notes: [
    `The largest are ${largest.map(({ bytes, name }) => `${name} (${megabytes(bytes)} MB)`).join(", ")}.`,
    `Imports are medians of ${rounds} new processes each, in turns; those of Atelier load effect too.`,
  ],
})
