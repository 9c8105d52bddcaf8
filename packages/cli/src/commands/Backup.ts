import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { dirname, resolve } from "node:path"
import { acceptedAt, Blobs, StorageError } from "@atelier/core"
import { Backup } from "@atelier/sql"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import {
  blobsFrom,
  blobsOf,
  checkBackup,
  databaseIn,
  digestOf,
  faultsOf,
  type Manifest,
  manifestIn,
  permanent,
  storeIn,
} from "../backupFolder.ts"
import { CommandFailed, wrongUsage } from "../CommandFailed.ts"
import * as Live from "../Live.ts"
import { moveBlobs } from "../moveBlobs.ts"
import { print, time } from "../Output.ts"
import { SettingError } from "../SettingError.ts"
import * as Settings from "../Settings.ts"
import { version } from "../version.ts"

interface BackupInput {
  readonly folder: string
  readonly json: boolean
}

/**
 * Copies the database of the settings, as it is at one moment, and the blobs that the copy names, into a new folder.
 * Servers go on meanwhile. The blobs come after the database: an image is stored before the row that names it, and is
 * removed only with its task, by retention.
 */
export const backup = (input: BackupInput) =>
  Effect.scoped(
    Effect.gen(function* () {
      const settings = yield* Settings.load(process.env)
      const source = yield* sqliteFile(settings, "backup")
      const folder = resolve(input.folder)
      yield* makeEmpty(folder)
      const createdAt = Math.floor((yield* Clock.currentTimeMillis) / 1000)
      yield* Backup.copyDatabase(source, databaseIn(folder))
      const copy = yield* Backup.openCopy(databaseIn(folder))
      const content = yield* copy.content
      const faults = faultsOf(content)
      if (faults.length > 0) {
        return yield* new CommandFailed({ message: `what was copied does not add up: ${faults.join("; ")}` })
      }
      if (!content.current) {
        return yield* new CommandFailed({
          message: `the database is at migration ${content.migration}: run \`atelier migrate\` first`,
        })
      }
      const isLeaving = leavingBy(createdAt * 1000, settings)
      const moved = yield* moveBlobs(permanent(yield* copy.blobs, isLeaving), {
        source: Context.get(yield* Layer.build(Live.blobs(settings)), Blobs),
        destination: yield* storeIn(folder),
      })
      const { migration, tasks, transfers, granted, wallet, held, spent } = content
      const manifest: Manifest = {
        format: 1,
        version: version(),
        created_at: createdAt,
        migration,
        database: {
          bytes: statSync(databaseIn(folder)).size,
          sha256: yield* digestOf(databaseIn(folder)),
        },
        tasks,
        ledger: { transfers, granted, wallet, held, spent },
        blobs: { count: moved.copied, missing: moved.faults + moved.imagesGone },
      }
      yield* writing(() => writeDurably(manifestIn(folder), `${JSON.stringify(manifest, null, 2)}\n`))
      yield* print(input.json, manifest, () => summary(folder, manifest))
      if (moved.faults > 0) {
        return yield* new CommandFailed({ message: `images are missing: ${moved.examples.join("; ")}` })
      }
    }),
  )

/** Longer than a backup takes. */
const backupMs = 24 * 60 * 60 * 1000

/** Tasks that retention may remove, with their images, while the backup is made. */
const leavingBy = (now: number, { config: { limits = {} } }: Settings.Settings) => {
  const { finished_task_retention_ms: retention = 0 } = limits
  return (taskId: string): boolean => retention > 0 && acceptedAt(taskId) <= now + backupMs - retention
}

/**
 * Puts a backup where the settings say that the database and the blobs are. The database comes last, and whole: after a
 * restore that broke off there is none, and the same command goes on.
 */
export const restore = (input: BackupInput) =>
  Effect.scoped(
    Effect.gen(function* () {
      const settings = yield* Settings.load(process.env)
      const target = yield* sqliteFile(settings, "restore")
      const folder = resolve(input.folder)
      const inTheWay = [target, `${target}-wal`, `${target}-shm`].find((file) => existsSync(file))
      if (inTheWay !== undefined) {
        const problem = `there is ${JSON.stringify(inTheWay)} already: stop the server and move it away`
        return yield* new SettingError({ setting: "ATELIER_DATABASE_URL", problem })
      }
      const manifest = yield* checkBackup(folder)
      const moved = yield* moveBlobs(blobsOf(folder), {
        source: blobsFrom(folder),
        destination: Context.get(yield* Layer.build(Live.blobs(settings)), Blobs),
      })
      if (moved.faults > 0) {
        return yield* new CommandFailed({ message: `blobs were not restored: ${moved.examples.join("; ")}` })
      }
      yield* writing(() => copyDurably(databaseIn(folder), target))
      yield* print(input.json, manifest, () => [
        ...summary(folder, manifest),
        `Restored to ${target}. Run \`atelier migrate\` and \`atelier doctor\`, then start the server.`,
      ])
    }),
  )

const sqliteFile = ({ database }: Settings.Settings, command: string) =>
  database.dialect === "sqlite"
    ? Effect.succeed(database.file)
    : Effect.fail(
        new SettingError({
          setting: "ATELIER_DATABASE_URL",
          problem: `\`atelier ${command}\` is for SQLite; for Postgres see docs/operate/backup.md`,
        }),
      )

const makeEmpty = Effect.fnUntraced(function* (folder: string) {
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    return yield* wrongUsage(`${folder} is not empty: every backup has a folder of its own`)
  }
  yield* writing(() => mkdirSync(folder, { recursive: true, mode: 0o700 }))
})

const writing = <A>(work: () => A) =>
  Effect.try({ try: work, catch: (cause) => new StorageError({ operation: "Backup", cause }) })

const sync = (path: string): void => {
  const file = openSync(path, "r")
  fsyncSync(file)
  closeSync(file)
}

const writeDurably = (path: string, text: string): void => {
  writeFileSync(path, text, { mode: 0o600 })
  sync(path)
  sync(dirname(path))
}

const copyDurably = (from: string, to: string): void => {
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 })
  const part = `${to}.restoring`
  rmSync(part, { force: true })
  copyFileSync(from, part)
  // It holds secrets, as the one that the server makes.
  chmodSync(part, 0o600)
  sync(part)
  renameSync(part, to)
  sync(dirname(to))
}

const summary = (folder: string, { created_at, database, tasks, ledger, blobs }: Manifest) => [
  `backup   ${folder}`,
  `of       ${time(created_at)} UTC`,
  `database ${database.bytes} bytes, ${tasks} tasks`,
  `ledger   ${ledger.transfers} transfers; granted ${ledger.granted} = wallet ${ledger.wallet} + held ${ledger.held} + spent ${ledger.spent} units`,
  `blobs    ${blobs.count}`,
  ...(blobs.missing > 0
    ? [`missing  ${blobs.missing} blobs that were not there when the backup was made`]
    : []),
]
