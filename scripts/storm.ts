import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { machine } from "../benchmarks/support/report.ts"
import { faultsIn } from "../test/support/settled.ts"
import { type Storm, stormPostgres, stormSqlite } from "../test/support/storm.ts"
import { root } from "./workspace.ts"

/**
 * Kills servers and databases under load, a thousand times and more, and counts what was lost, doubled or left
 * unsettled: all counts must be zero. Writes `benchmarks/results/storm.json` and the results of
 * `docs/reliability.md`.
 *
 * `npm run storm [-- KILLS_SQLITE] [KILLS_POSTGRES] [SEED]`; 0 leaves one out. Ends with 1 where something is wrong.
 */

/** Servers on SQLite that are killed in parallel, each for its share. */
const lanes = 2
const progressEvery = 25

const [sqliteKills = 1_000, postgresKills = 200, seed = Date.now() % 1_000_000] = process.argv
  .slice(2)
  .map(Number)

const began = performance.now()
const seconds = (): number => Math.round((performance.now() - began) / 1000)
const progress = (name: string, of: number) => (kills: number) => {
  if (kills % progressEvery === 0 || kills === of)
    console.log(`${name}: ${kills} of ${of} kills, ${seconds()} s`)
}

interface Part {
  readonly name: string
  readonly storm: Storm
}

const onSqlite = async (): Promise<ReadonlyArray<Part>> => {
  const each = Math.ceil(sqliteKills / lanes)
  const storms = Array.from({ length: lanes }, (_, lane) =>
    stormSqlite({
      kills: each,
      seed: seed + lane * 1_000,
      clients: 6,
      answersMax: 20,
      startKills: 35,
      progress: progress(`SQLite ${lane + 1}`, each),
    }),
  )
  return (await Promise.all(storms)).map((storm) => ({ name: "SQLite", storm }))
}

const onPostgres = async (): Promise<ReadonlyArray<Part>> => [
  {
    name: "Postgres",
    storm: await stormPostgres({
      kills: postgresKills,
      seed,
      clients: 6,
      answersMax: 8,
      startKills: 25,
      progress: progress("Postgres", postgresKills),
    }),
  },
]

const parts: Array<Part> = []

const rowOf = (name: string) => {
  const storms = parts.filter((part) => part.name === name).map(({ storm }) => storm)
  const sum = (of: (storm: Storm) => number) => storms.reduce((total, storm) => total + of(storm), 0)
  return {
    database: name,
    "kills of servers": sum(({ kills }) => kills.servers),
    "kills of Postgres": sum(({ kills }) => kills.postgres),
    freezes: sum(({ kills }) => kills.frozen),
    tasks: sum(({ findings }) => findings.looked.tasks),
    "results read": sum(({ findings }) => findings.looked.results),
    "paid generations": sum(({ findings }) => findings.looked.generations),
    callbacks: sum(({ findings }) => findings.looked.callbacks),
    transfers: sum(({ findings }) => findings.looked.transfers),
    lost: sum(({ findings }) => findings.lost.length),
    doubled: sum(({ findings }) => findings.doubled.length),
    unsettled: sum(({ findings }) => findings.unsettled.length),
    unexpected: sum(({ findings }) => findings.unexpected.length),
  }
}

// What one part found is told even where the next one ends the program.
for (const storm of [...(sqliteKills > 0 ? [onSqlite] : []), ...(postgresKills > 0 ? [onPostgres] : [])]) {
  const done = await storm()
  parts.push(...done)
  for (const name of new Set(done.map((part) => part.name))) console.log(JSON.stringify(rowOf(name)))
}

const rows = [...new Set(parts.map(({ name }) => name))].map(rowOf)
const faults = parts.flatMap(({ storm }) => faultsIn(storm.findings))
for (const fault of faults.slice(0, 50)) console.log(fault)

const at = machine()
const line = (cells: ReadonlyArray<string | number>) => `| ${cells.join(" | ")} |`
const columns = Object.keys(rows[0] ?? {})
const table = [
  line(columns),
  line(columns.map(() => "---")),
  ...rows.map((row) => line(Object.values(row))),
].join("\n")
console.log(table)

const begin = "<!-- storm:begin -->"
const end = "<!-- storm:end -->"
const page = join(root, "docs", "reliability.md")
const section = `${begin}\n\n\`npm run storm\`, seed ${seed}, ${seconds()} s on ${at.cpu}, ${at.cores} cores, Node ${at.node}.\n\n${table}\n\n${end}`

if (sqliteKills > 0 && postgresKills > 0) {
  writeFileSync(
    join(root, "benchmarks", "results", "storm.json"),
    `${JSON.stringify({ machine: at, seed, seconds: seconds(), rows, faults }, null, 2)}\n`,
  )
  const text = existsSync(page) ? readFileSync(page, "utf8") : `# Reliability\n\n${begin}\n${end}\n`
  const [before = "", rest = ""] = text.split(begin)
  writeFileSync(page, `${before}${section}${rest.split(end)[1] ?? "\n"}`)
}
console.log(`${faults.length} faults, ${seconds()} s (repeat with seed ${seed})`)
process.exitCode = faults.length === 0 ? 0 : 1
