/**
 * JSON that is counted before it is parsed, beside `JSON.parse` alone: bodies of 16 MiB that are taken, and such
 * that are refused. Medians of CPU time, all in one run:
 *
 *   npm run bench -- benchmarks/json-count.ts
 */
import { parseJson } from "@atelier/intake/bytes"
import { median, type Row, report, rounded } from "./support/report.ts"

const size = 16 * 1024 * 1024
const rounds = 7
const limits = { json_depth_max: 64, json_values_max: 10_000, json_keys_max: 1000 }

const filled = (before: string, piece: string, after: string): Buffer =>
  Buffer.from(before + piece.repeat(Math.floor((size - before.length - after.length) / piece.length)) + after)

const image = `data:image/png;base64,${"iVBORw0KGgoAAAANSUhEUgAA".repeat(174_000)}`
const inputs: Readonly<Record<string, Buffer>> = {
  "four images": Buffer.from(JSON.stringify({ generation_type: "blend", images: Array(4).fill(image) })),
  "one string of escapes": filled('{"images":["', '\\"', '"]}'),
  "white space": filled("{", " ", "}"),
  "empty lists": filled('{"images":[', "[],", "[]]}"),
  numbers: filled('{"images":[', "1,", "1]}"),
}

const cpuMillis = (work: () => void): number => {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

const rows = Object.entries(inputs).map(([input, bytes]): Row => {
  let answer = "taken"
  const counted = () => {
    try {
      parseJson(bytes, limits)
    } catch {
      answer = "refused"
    }
  }
  const alone = () => void JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes))
  const times = Array.from({ length: rounds }, () => [cpuMillis(counted), cpuMillis(alone)] as const)
  const [countedMs, aloneMs] = [median(times.map(([ms]) => ms)), median(times.map(([, ms]) => ms))]
  return {
    input,
    answer,
    "counted ms": rounded(countedMs, 1),
    "JSON.parse ms": rounded(aloneMs, 1),
    ratio: rounded(countedMs / aloneMs, 2),
  }
})

report({
  name: "json-count",
  title: "JSON counted before it is parsed",
  notes: [
    "Bodies of 16 MiB; CPU time of both, UTF-8 decoding included.",
    "What is refused is refused by the limits of request bodies, before anything is built.",
  ],
  rows,
})
