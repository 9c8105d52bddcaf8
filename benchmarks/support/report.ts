import { mkdirSync, writeFileSync } from "node:fs"
import { cpus, totalmem } from "node:os"
import { join } from "node:path"
import { root } from "../../scripts/workspace.ts"

/** The machine of a run, without its name and paths. */
export const machine = () => ({
  cpu: cpus()[0]?.model.trim() ?? "unknown",
  cores: cpus().length,
  memory_gib: Math.round(totalmem() / 2 ** 30),
  platform: `${process.platform} ${process.arch}`,
  node: process.version,
})

export type Row = Readonly<Record<string, string | number>>

/** Prints a result and writes it as Markdown and JSON to `benchmarks/results/`; throws where a row measured nothing. */
export const report = (result: {
  readonly name: string
  readonly title: string
  readonly notes: ReadonlyArray<string>
  readonly rows: ReadonlyArray<Row>
}): void => {
  const at = machine()
  const columns = Object.keys(result.rows[0] ?? {})
  const line = (cells: ReadonlyArray<string | number>) => `| ${cells.join(" | ")} |`
  const text = [
    `# ${result.title}`,
    "",
    `${at.cpu}, ${at.cores} cores, ${at.memory_gib} GiB, ${at.platform}, Node ${at.node}.`,
    "",
    line(columns),
    line(columns.map(() => "---")),
    ...result.rows.map((row) => line(columns.map((column) => row[column] ?? ""))),
    "",
    ...result.notes.map((note) => `- ${note}`),
    "",
  ].join("\n")
  if (text.includes("NaN")) throw new Error(`a row of ${result.name} measured nothing:\n${text}`)
  const folder = join(root, "benchmarks", "results")
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${result.name}.md`), text)
  writeFileSync(
    join(folder, `${result.name}.json`),
    `${JSON.stringify({ machine: at, rows: result.rows, notes: result.notes }, null, 2)}\n`,
  )
  console.log(text)
}

export const median = (numbers: ReadonlyArray<number>): number => {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

export const rounded = (number: number, digits = 0): number => Number(number.toFixed(digits))
