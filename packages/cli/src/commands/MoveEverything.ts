import { resolve } from "node:path"
import { Blobs } from "@atelier/core"
import { Move } from "@atelier/sql/postgres"
import * as Cause from "effect/Cause"
import * as Console from "effect/Console"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { CommandFailed } from "../CommandFailed.ts"
import { explain } from "../explain.ts"
import * as Live from "../Live.ts"
import { type BlobsMoved, moveBlobs } from "../moveBlobs.ts"
import { table } from "../Output.ts"
import { SettingError } from "../SettingError.ts"
import * as Settings from "../Settings.ts"

export interface MoveInput {
  readonly from: string
  readonly to: string
  /** None: ATELIER_BLOB_URL; blobs are not looked at where that is not set either. */
  readonly fromBlobs: string | undefined
  /** None: the blobs stay where they are. */
  readonly toBlobs: string | undefined
}

/**
 * Moves a SQLite installation to Postgres, and its blobs where that is asked for. Everything is compared in the
 * end; the destination may be served only after a comparison that finds no difference.
 */
export const moveEverything = (input: MoveInput) =>
  Effect.scoped(
    Effect.gen(function* () {
      const databases = yield* databasesOf(input)
      const blobs = yield* blobsOf(input)
      const move = yield* Effect.mapError(Move.open(databases), named)
      if (move.left.length > 0) {
        yield* Console.log(
          `Tables of an application in the same file stay where they are: ${move.left.join(", ")}.`,
        )
      }
      const copied = yield* Effect.mapError(move.copy(tell), named)
      if (copied.every(({ rows }) => rows === 0)) {
        yield* Console.log("There is nothing left to carry over. Comparing again.")
      }
      const moved = blobs && (yield* moveBlobs(yield* move.blobs, blobs))
      const verification = yield* Effect.mapError(move.verify, named)
      yield* Console.log(report(verification, moved).join("\n"))
      const faults = faultsOf(verification, moved)
      if (faults.length > 0) {
        return yield* new CommandFailed({ message: `the move is not whole: ${faults.join("; ")}` })
      }
      yield* Effect.mapError(move.finish, named)
      yield* Console.log("Everything is there and the same. Point ATELIER_DATABASE_URL at the new database.")
    }),
  )

const tell = ({ table: name, before, rows }: Move.Copied) =>
  rows === 0
    ? Effect.void
    : Console.error(`${name}: ${rows} rows carried over${before === 0 ? "" : `, after ${before} before`}`)

/** A refusal names the flag that leads to it. */
const named = (error: Effect.Error<ReturnType<typeof Move.open>>): SettingError => {
  if (error._tag === "MoveRefused") {
    return new SettingError({ setting: error.side === "source" ? "--from" : "--to", problem: error.message })
  }
  const setting = error.operation === Move.readOperation ? "--from" : "--to"
  return new SettingError({ setting, problem: explain(Cause.fail(error)) })
}

const loaded = (setting: string, flag: string, value: string) =>
  Effect.mapError(Settings.load({ ...process.env, [setting]: value }), (error) =>
    error.setting === setting ? new SettingError({ setting: flag, problem: error.problem }) : error,
  )

const databasesOf = Effect.fnUntraced(function* ({ from, to }: MoveInput) {
  const source = (yield* loaded("ATELIER_DATABASE_URL", "--from", from)).database
  const destination = (yield* loaded("ATELIER_DATABASE_URL", "--to", to)).database
  if (source.dialect !== "sqlite") {
    return yield* new SettingError({
      setting: "--from",
      problem: "expected sqlite:PATH, got a postgres:// URL",
    })
  }
  if (destination.dialect !== "postgres") {
    const problem = `expected postgres://USER:PASSWORD@HOST:PORT/DATABASE, got ${JSON.stringify(to)}`
    return yield* new SettingError({ setting: "--to", problem })
  }
  return { source: source.file, destination: Redacted.value(destination.url) }
})

/** Both sides of the blobs; none where it is not said where they are. */
const blobsOf = Effect.fnUntraced(function* ({ fromBlobs, toBlobs }: MoveInput) {
  const from = fromBlobs ?? process.env["ATELIER_BLOB_URL"] ?? ""
  if (from === "" && toBlobs === undefined) return undefined
  if (from === "") {
    const problem = "missing: --to-blobs needs it, or ATELIER_BLOB_URL"
    return yield* new SettingError({ setting: "--from-blobs", problem })
  }
  const source = yield* openBlobs("--from-blobs", from)
  if (toBlobs === undefined) return { source, destination: undefined }
  if (placeOf(from) === placeOf(toBlobs)) {
    const problem = "the same as --from-blobs: leave it out where the blobs stay"
    return yield* new SettingError({ setting: "--to-blobs", problem })
  }
  return { source, destination: yield* openBlobs("--to-blobs", toBlobs) }
})

const placeOf = (url: string): string => (url.startsWith("file:") ? resolve(url.slice("file:".length)) : url)

const openBlobs = Effect.fnUntraced(function* (flag: string, url: string) {
  const settings = yield* loaded("ATELIER_BLOB_URL", flag, url)
  return Context.get(yield* Layer.build(Live.blobs(settings)), Blobs)
})

const report = (
  { compared, totals }: Move.Verification,
  blobs: BlobsMoved | undefined,
): ReadonlyArray<string> => [
  ...table(
    ["what", "source", "destination", "missing", "extra", "different"],
    compared.map(({ name, source, destination, missing, extra, different }) =>
      [name, source, destination, missing, extra, different].map(String),
    ),
  ),
  "",
  ...table(
    ["units", "source", "destination"],
    (["granted", "wallet", "held", "spent"] as const).map((account) => [
      account,
      String(totals.source[account]),
      String(totals.destination[account]),
    ]),
  ),
  "",
  blobs === undefined
    ? "Blobs were not looked at: neither --from-blobs nor ATELIER_BLOB_URL says where they are."
    : `Blobs: ${blobs.named} named, ${blobs.copied} copied, ${blobs.compared} compared by SHA-256, ${blobs.faults} at fault.`,
]

const faultsOf = (
  { compared, totals, audit, totalDifferences }: Move.Verification,
  blobs: BlobsMoved | undefined,
): ReadonlyArray<string> => [
  ...compared
    .filter((each) => !Move.isSame(each))
    .map(({ name, examples }) => `${name} differs (${examples.join(", ")})`),
  ...(JSON.stringify(totals.source) === JSON.stringify(totals.destination) ? [] : ["balances differ"]),
  ...audit.source.map((user) => `in the source, the balance of ${user} is not the sum of its transfers`),
  ...audit.destination.map(
    (user) => `in the destination, the balance of ${user} is not the sum of its transfers`,
  ),
  ...totalDifferences.map(
    ({ total, kept, counted }) =>
      `in the destination, the total ${total} is ${kept}, and counting gives ${counted}`,
  ),
  ...(blobs === undefined || blobs.faults === 0 ? [] : [`blobs differ (${blobs.examples.join(", ")})`]),
]
