import { accessSync, constants, existsSync, statfsSync, statSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { Blobs, Executors, KeyStore, LedgerStore, SecretBox, TotalsStore } from "@atelier/core"
import { ParsingPool, sandboxWeakness } from "@atelier/intake"
import { describePlugins } from "@atelier/plugin"
import { PostgresClient } from "@atelier/sql/postgres"
import type * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import { checkBackup } from "../backupFolder.ts"
import { CommandFailed } from "../CommandFailed.ts"
import { explain } from "../explain.ts"
import * as Live from "../Live.ts"
import { print, time } from "../Output.ts"
import * as Settings from "../Settings.ts"
import { version } from "../version.ts"
import { channels } from "./doctorChannels.ts"

interface Finding {
  readonly check: string
  readonly ok: boolean
  readonly detail: string
}

/** Checks everything that the server depends on; fails where any check fails. */
export const doctor = Effect.fnUntraced(function* (input: { readonly json: boolean }) {
  const settings = yield* Settings.load(process.env)
  const findings = [
    { check: "settings", ok: true, detail: "read and allowed" },
    { check: "versions", ok: true, detail: versions() },
    yield* finding("files", files(settings)),
    yield* finding("clock", clock(settings)),
    yield* finding("storage", Effect.provide(storage, Live.stores(settings))),
    yield* finding("ledger", Effect.provide(ledger, Live.stores(settings))),
    yield* finding("totals", Effect.provide(totals, Live.stores(settings))),
    yield* finding(
      "secrets",
      Effect.provide(secrets, Layer.merge(Live.stores(settings), Live.values(settings))),
    ),
    yield* finding("plugins", plugins(settings)),
    yield* finding("channels", channels(settings)),
    yield* finding("blobs", Effect.provide(writing, Live.blobs(settings))),
    yield* finding(
      "parsing",
      Effect.provide(
        parsing,
        Layer.mergeAll(Live.blobs(settings), Live.executors(settings), Live.values(settings)),
      ),
    ),
  ]
  yield* report(input.json, findings)
})

/** Checks a backup in its folder; the installation is not looked at. */
export const doctorOfBackup = Effect.fnUntraced(function* (input: {
  readonly folder: string
  readonly json: boolean
}) {
  const found = Effect.map(
    checkBackup(input.folder),
    ({ created_at, tasks, ledger, blobs }) =>
      `of ${time(created_at)} UTC; ${tasks} tasks, ${ledger.transfers} transfers, balances agree to the unit; ${blobs.count} blobs`,
  )
  yield* report(input.json, [yield* finding("backup", found)])
})

const report = Effect.fnUntraced(function* (json: boolean, findings: ReadonlyArray<Finding>) {
  yield* print(json, findings, () =>
    findings.map(({ check, ok, detail }) => `${ok ? "ok    " : "FAIL  "} ${check.padEnd(9)} ${detail}`),
  )
  const failed = findings.filter(({ ok }) => !ok).map(({ check }) => check)
  if (failed.length > 0) return yield* new CommandFailed({ message: `failed: ${failed.join(", ")}` })
})

const finding = <E>(check: string, examine: Effect.Effect<string, E>): Effect.Effect<Finding> =>
  examine.pipe(
    Effect.map((detail) => ({ check, ok: true, detail })),
    Effect.catchCause((cause: Cause.Cause<unknown>) =>
      Effect.succeed({ check, ok: false, detail: explain(cause) }),
    ),
  )

const versions = (): string =>
  `atelier ${version()}, Node ${process.versions.node}, SQLite ${process.versions["sqlite"] ?? "unknown"}, ${process.platform} ${process.arch}`

/** Less free space than this is said, with what to do. */
const freeBytesMin = 1024 * 1024 * 1024

/** The folders that this process writes: whether it may, who else may read them, and how much room is left. */
const files = (settings: Settings.Settings) =>
  Effect.suspend(() => {
    const folders = [...new Set([Settings.dataDirectory(settings), Settings.workDirectory(settings)])]
    const problems: Array<string> = []
    const said = folders.filter(existsSync).map((folder) => {
      const { bavail, bsize } = statfsSync(folder)
      const free = bavail * bsize
      if (free < freeBytesMin) {
        problems.push(
          `${folder} has ${mebibytes(free)} MiB left: remove old backups, or give it a larger disk; submissions get 503 storage_unavailable when it is full`,
        )
      }
      if (!isWritable(folder))
        problems.push(`${folder} cannot be written: chown it to the user of the server`)
      return `${folder}: ${mebibytes(free)} MiB free`
    })
    const { database, configFile } = settings
    const config = resolve(configFile.path)
    if (existsSync(config) && (statSync(config).mode & 0o002) !== 0) {
      problems.push(`${config} can be written by everyone, who could add channels and plugins: chmod o-w it`)
    }
    if (database.dialect === "sqlite" && existsSync(database.file)) {
      if ((statSync(database.file).mode & 0o002) !== 0) {
        problems.push(`${database.file} can be written by everyone: chmod o-w it`)
      }
    }
    return problems.length > 0
      ? Effect.fail(new CommandFailed({ message: problems.join("; ") }))
      : Effect.succeed(said.length === 0 ? "nothing is there yet" : said.join("; "))
  })

const mebibytes = (bytes: number): number => Math.floor(bytes / 2 ** 20)

const isWritable = (folder: string): boolean => {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Deadlines go by the clocks of the processes, leases by that of Postgres: more apart than this is said. */
const clockMsMax = 2000

const clock = ({ database }: Settings.Settings) => {
  if (database.dialect === "sqlite") return Effect.succeed(new Date().toISOString())
  const asked = Effect.gen(function* () {
    const sql = yield* SqlClient
    const before = Date.now()
    const [row] = yield* sql<{
      readonly now: number
    }>`SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now`
    const apart = Math.round((row?.now ?? 0) - (before + Date.now()) / 2)
    if (Math.abs(apart) <= clockMsMax) return `${new Date().toISOString()}, ${apart} ms behind Postgres`
    return yield* new CommandFailed({
      message: `this clock is ${apart} ms behind that of Postgres: deadlines would be wrong; let NTP set both`,
    })
  })
  return Effect.scoped(
    Effect.provide(asked, PostgresClient.layer({ url: Redacted.value(database.url), connections: 1 })),
  )
}

const storage = Effect.gen(function* () {
  const { tasks } = yield* (yield* TotalsStore).read
  return `answers; ${tasks.reduce((sum, { count }) => sum + count, 0)} tasks`
})

/** contract, Money: for every user, wallet + held + spent = granted, and balances are the sums of transfers. */
const ledger = Effect.gen(function* () {
  const wrong = yield* (yield* LedgerStore).audit
  if (wrong.length === 0) return "balances agree with the transfers to the unit"
  return yield* new CommandFailed({ message: `balances do not agree for ${wrong.join(", ")}` })
})

/** What `GET /admin/v1/stats` and the metrics show, against the rows. */
const totals = Effect.gen(function* () {
  const wrong = yield* (yield* TotalsStore).differences
  if (wrong.length === 0) return "kept totals are what counting tasks, jobs and transfers gives"
  const each = wrong.map(({ total, kept, counted }) => `${total}: kept ${kept}, counted ${counted}`)
  return yield* new CommandFailed({ message: each.join("; ") })
})

/** Webhook secrets, and whether each can be read. */
const secrets = Effect.gen(function* () {
  yield* Live.checkedSecretKey
  const { keyIds } = yield* SecretBox
  const seals = yield* (yield* KeyStore).seals
  const count = (test: (keyId: string | null) => boolean) =>
    seals.filter(({ keyId }) => test(keyId)).reduce((sum, seal) => sum + seal.count, 0)
  const lost = count((keyId) => keyId !== null && !keyIds.includes(keyId))
  if (lost > 0) {
    return yield* new CommandFailed({
      message: `${lost} webhook secrets are encrypted with a key that is not in ATELIER_SECRET_KEY`,
    })
  }
  const plain = count((keyId) => keyId === null)
  if (keyIds.length === 0) return `webhook secrets: 0 encrypted, ${plain} not; ATELIER_SECRET_KEY is not set`
  const older = count((keyId) => keyId !== null && keyId !== keyIds[0])
  const present = count((keyId) => keyId === keyIds[0])
  return `webhook secrets: ${present} encrypted, ${older} with an older key, ${plain} not`
})

/** What each plugin adds; one that would refuse the start is a finding. */
const plugins = (settings: Settings.Settings) =>
  Effect.map(Effect.flatMap(Live.plugins(settings), describePlugins), (plugins) =>
    plugins.length === 0
      ? "none"
      : plugins
          .map(
            ({ adapters, models, name, tools }) =>
              `${name}: tools ${listed(tools)}, adapters ${listed(adapters)}, models ${listed(models)}`,
          )
          .join("; "),
  )

const listed = (names: ReadonlyArray<string>): string => (names.length === 0 ? "none" : names.join(" "))

const probeKey = "doctor/probe"

const writing = Effect.gen(function* () {
  const blobs = yield* Blobs
  const bytes = new TextEncoder().encode("probe")
  yield* blobs.put(probeKey, bytes)
  const stored = yield* Effect.ensuring(blobs.stat(probeKey), Effect.ignore(blobs.remove(probeKey)))
  if (Option.isSome(stored) && stored.value.bytes === bytes.length) return "written, read and removed"
  return yield* new CommandFailed({ message: "what was written could not be read again" })
})

/** How strongly a parsing process is isolated, and which stronger levels the system did not offer. */
const sandbox = Effect.gen(function* () {
  const { level, missing } = yield* (yield* ParsingPool).sandbox
  const open =
    level === "namespaces" ? "no network, no other process, no file but code" : sandboxWeakness[level]
  return [`sandbox ${level}, ${open}`, ...missing].join("; ")
})

/**
 * Parses a small document through an executor and the parsing pool, and reports how strongly its process is
 * isolated.
 */
const parsing = Effect.scoped(
  Effect.gen(function* () {
    const executors = yield* Executors
    const tool = executors.find(({ definition }) => definition.extensions.includes(".md"))
    if (tool === undefined) return "no tool takes Markdown"
    const directory = yield* (yield* Blobs).scratch
    const text = "# A probe\n"
    const path = join(directory, "probe.md")
    writeFileSync(path, text)
    yield* tool.inspect({ owner: "doctor", path, filename: "probe.md", bytes: text.length })
    const tools = executors.map(({ definition }) => definition.id).join(", ")
    return `${tools} answer; ${yield* sandbox}`
  }),
)
