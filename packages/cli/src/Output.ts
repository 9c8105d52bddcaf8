import * as Console from "effect/Console"
import type * as Effect from "effect/Effect"

/** `data` as JSON for machines, or `lines` for people. */
const rendered = (json: boolean, data: unknown, lines: () => ReadonlyArray<string>): string =>
  json ? JSON.stringify(data, null, 2) : lines().join("\n")

export const print = (
  json: boolean,
  data: unknown,
  lines: () => ReadonlyArray<string>,
): Effect.Effect<void> => Console.log(rendered(json, data, lines))

/** `print` for commands that are promises. */
export const say = (json: boolean, data: unknown, lines: () => ReadonlyArray<string>): void =>
  console.log(rendered(json, data, lines))

/** Columns of equal width under a header; cells are never cut. */
export const table = (
  head: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
): ReadonlyArray<string> => {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  return [head, ...rows].map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  )
}

/** A human-readable time; `-` for none. Unix seconds. */
export const time = (seconds: number | null | undefined): string =>
  seconds === null || seconds === undefined || seconds === 0
    ? "-"
    : new Date(seconds * 1000).toISOString().replace("T", " ").slice(0, 19)
