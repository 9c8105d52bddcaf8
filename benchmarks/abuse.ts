/**
 * Attacks a real server with real requests, one attack after another, each on a server of its own with the
 * defaults of production, while another customer reads, submits and uploads. Says for each whether it held: what
 * was answered, what another customer noticed, what memory it took, and whether all was well afterwards.
 *
 * `npm run abuse [-- NAME...]`; ends with 1 where an attack did not hold. Of some attacks alone, their rows of the last
 * result are replaced.
 */
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "../scripts/workspace.ts"
import type { Attack } from "./abuse/attack.ts"
import { startAttacker } from "./abuse/attacker.ts"
import { machineAlone } from "./abuse/attacks/machine.ts"
import { attackOf, attacks } from "./abuse/attacks.ts"
import { type Bystander, type Kind, type Phase, type Sample, startBystander } from "./abuse/bystander.ts"
import { pause } from "./abuse/requests.ts"
import type { Outcomes } from "./abuse/sent.ts"
import { outcomeFaults, Stage } from "./abuse/stage.ts"
import type { Target } from "./abuse/target.ts"
import { type Row, report, rounded } from "./support/report.ts"

const seconds = 7
const warmMs = 1_500
/** Idle and control take turns, so that a change of the machine's own falls on both. */
const turns = 2
const turnSeconds = 3
const restMs = 1_000
const afterMs = 1_500
const ratioMax = 3
const memoryBytesMax = 400 * 1024 * 1024
const megabyte = 1024 * 1024
const kinds: ReadonlyArray<Kind> = ["read", "submit", "upload"]

interface Round {
  readonly outcomes: Outcomes
  readonly faults: ReadonlyArray<string>
  readonly samples: ReadonlyArray<Sample>
  readonly serverBytes: number
  readonly childrenBytes: number
}

const at = (samples: ReadonlyArray<Sample>, share: number): number => {
  const sorted = samples.map(({ took }) => took).toSorted((a, b) => a - b)
  return rounded(sorted[Math.ceil(sorted.length * share) - 1] ?? 0, 1)
}

/** The p99 of one phase; of one kind of request, or of all. */
const p99 = ({ samples }: Pick<Round, "samples">, phase: Phase, kind?: Kind): number =>
  at(
    samples.filter((each) => each.phase === phase && (kind === undefined || each.kind === kind)),
    0.99,
  )

const isFine = ({ status }: Sample, { sheds = false }: Attack): boolean =>
  /^20[0-9]$/.test(status) || (sheds && status === "503 overloaded")

/** What it sends falls in a phase of its own. */
const during = async (
  bystander: Bystander,
  phase: Phase,
  name: string,
  target: Target,
): Promise<Outcomes> => {
  const attacker = await startAttacker(name, target)
  bystander.enter(phase)
  const outcomes = await attacker.send()
  bystander.enter("before")
  return outcomes
}

const run = async (attack: Attack): Promise<Round> => {
  const stage = await Stage.open(attack)
  const target = await stage.target(attack.seconds ?? seconds, 1)
  const bystander = await startBystander(await stage.plan())
  await pause(warmMs)
  for (let turn = 0; turn < turns; turn++) {
    bystander.enter("idle")
    await pause(turnSeconds * 1000)
    bystander.enter("before")
    await during(bystander, "control", machineAlone, { ...target, seconds: turnSeconds })
  }
  const outcomes = await during(bystander, "attack", attack.name, target)
  await pause(restMs)
  bystander.enter("after")
  await pause(afterMs)
  const samples = await bystander.stop()
  const faults = [...outcomeFaults(attack, outcomes), ...(await stage.aftermath())]
  const serverBytes = stage.serverBytes()
  const closing = await stage.close()
  const round = { samples, outcomes, serverBytes, childrenBytes: stage.childrenBytes }
  return { ...round, faults: [...faults, ...closing, ...faultsOf(attack, round)] }
}

const faultsOf = (attack: Attack, { samples, serverBytes }: Omit<Round, "faults">): ReadonlyArray<string> => {
  const failed = samples.filter((each) => !isFine(each, attack)).map(({ status }) => status)
  const p50 = (phase: Phase) =>
    at(
      samples.filter((each) => each.phase === phase),
      0.5,
    )
  return [
    ...(failed.length > 0 ? [`the bystander was answered ${summary(failed)}`] : []),
    ...(serverBytes > memoryBytesMax ? [`the server took ${rounded(serverBytes / megabyte)} MiB`] : []),
    ...(p50("after") > ratioMax * Math.max(1, p50("idle"))
      ? [`a second later a request took ${p50("after")} ms`]
      : []),
    ...(ratioTo({ samples }, "idle") > ratioMax
      ? [`the bystander's p99 was ${ratioTo({ samples }, "idle")} times its idle one`]
      : []),
  ]
}

const summary = (values: ReadonlyArray<string>): string =>
  [...Map.groupBy(values, (value) => value)].map(([value, all]) => `${all.length} times ${value}`).join(", ")

const ratioTo = (round: Pick<Round, "samples">, phase: Phase): number =>
  rounded(p99(round, "attack") / Math.max(p99(round, phase), 0.01), 1)

const path = (round: Round, kind?: Kind): string =>
  (["idle", "control", "attack"] as const).map((phase) => p99(round, phase, kind)).join(" → ")

/** The tree of the packages that was measured; with a plus where they were changed since the last commit. */
const codeOf = (): string => {
  const git = (...args: ReadonlyArray<string>) =>
    spawnSync("git", args, { cwd: root, encoding: "utf8" }).stdout.trim()
  const tree = git("rev-parse", "--short=8", "HEAD:packages")
  return git("status", "--porcelain", "packages") === "" ? tree : `${tree}+`
}

const rowOf = (attack: Attack, round: Round): Row => ({
  attack: attack.name,
  "what is sent": attack.about,
  tried: round.outcomes.tried,
  "held (to idle)": round.faults.length === 0 ? "yes" : `no: ${round.faults.join("; ")}`,
  "p99 ms: idle → control → attack": path(round),
  "to idle": ratioTo(round, "idle"),
  "to control": ratioTo(round, "control"),
  reads: path(round, "read"),
  submissions: path(round, "submit"),
  uploads: path(round, "upload"),
  "attacker's cores": rounded(round.outcomes.cores ?? 0, 2),
  "server MiB": rounded(round.serverBytes / megabyte),
  "children MiB": rounded(round.childrenBytes / megabyte),
  code: codeOf(),
})

/** Of the last result. */
const lastRows = (): ReadonlyArray<Row> => {
  try {
    const { rows } = JSON.parse(readFileSync(join(root, "benchmarks/results/abuse.json"), "utf8"))
    // Those of before there was a control cannot stand beside these.
    return rows.filter((row: Row) => row["code"] !== undefined)
  } catch {
    return []
  }
}

const names = process.argv.slice(2)
const chosen = names.length === 0 ? attacks : names.map(attackOf)
const began = performance.now()
const rows = new Map<string, Row>()
let heldCount = 0
for (const attack of chosen) {
  const round = await run(attack)
  rows.set(attack.name, rowOf(attack, round))
  const held = round.faults.length === 0
  if (held) heldCount += 1
  console.log(
    `${(held ? "held" : "DID NOT HOLD").padEnd(12)}  ${attack.name}: ${path(round)} ms, ${rounded(round.serverBytes / megabyte)} MiB; ${JSON.stringify(round.outcomes.counts)} ${round.outcomes.notes.join("; ")}`,
  )
  console.log(`${" ".repeat(14)}${kinds.map((kind) => `${kind} ${path(round, kind)}`).join(", ")}`)
  for (const fault of round.faults) console.log(`              - ${fault}`)
}

const last = new Map(lastRows().map((row) => [row["attack"], row]))
report({
  name: "abuse",
  title: "Attacks on one server, and what another customer notices",
  rows: attacks.map(({ name }) => rows.get(name) ?? last.get(name)).filter((row) => row !== undefined),
  notes: [
    `Each attack on a server of its own in a fresh directory, on SQLite with the defaults of production; sent from a process of the lowest priority on the same machine, again and again for ${seconds} s, or for as long as it waits.`,
    "The bystander is another customer in a process of its own, with 120 reads, 12 submissions and 6 uploads of five bytes a second, over kept connections. The p99 is over all of them; of submissions and uploads alone it is their largest or second largest.",
    `Before the attack, in turns of ${turnSeconds} s on the same server, ${turns} each: idle, without other load, and the control, where no request is sent and one thread of the lowest priority computes, as an attacker's own process does. The rows \`machine-only\` are controls in the place of attacks.`,
    "Held: every answer is of those that the attack may get (never 5xx but 503 `overloaded`, always with `Retry-After`), the bystander got all of its answers, its p99 is within 3 times of the idle one (not of the control), the server stayed under 400 MiB, no connection and no temporary file was left, the server stopped by itself, the ledger is exact and nothing is held for a final task.",
    "Attacker's cores: how many of them its process used on average. Server: the largest resident memory ever (`VmHWM`). Children: the parsing processes together, sampled. Code: the Git tree of `packages` that was measured.",
  ],
})
console.log(`${heldCount} of ${chosen.length} attacks held, ${rounded((performance.now() - began) / 1000)} s`)
process.exitCode = heldCount === chosen.length ? 0 : 1
