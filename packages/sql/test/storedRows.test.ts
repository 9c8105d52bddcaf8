import { CallbackStore, type ImageTask, KeyStore, TaskStore } from "@atelier/core"
import { aDelivery, aKey, anImageTask, aToolTask, aUser } from "@atelier/core/testing"
import { Sql } from "@atelier/sql"
import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { temporaryDatabase } from "./temporary.ts"

const asset = { blob: "media/a.png", url: null, contentType: "image/png", width: 1, height: 1, bytes: 9 }
const made = { jobId: "job", text: "words", seed: 7 }

/** A task of which no field is null, so that each can be damaged. */
const wholeTask = (): ImageTask =>
  anImageTask({
    error: { code: "canceled", message: "as was asked" },
    warnings: [{ code: "unknown_field", message: "ignored" }],
    history: [
      { at: 1, event: "submit", from: null, to: "queued", transfers: ["hold:a"], requestId: "req_1" },
    ],
    startedAt: 2,
    finishedAt: 3,
    upstream: { channel: "vendor", upstreamId: "1" },
    pinnedChannel: "vendor",
    archive: { ...made, sources: [{ _tag: "Archived", asset }, { _tag: "Refused" }], failures: 1 },
    result: { ...made, assets: [asset] },
  })

type Path = ReadonlyArray<string | number>

/** The paths of every field in a JSON value, in lists those of the first entry. */
const pathsIn = (value: unknown, path: Path = []): ReadonlyArray<Path> =>
  typeof value !== "object" || value === null
    ? [path]
    : Object.entries(value)
        .slice(0, Array.isArray(value) ? 1 : undefined)
        .flatMap(([name, inner]) => {
          const own = [...path, Array.isArray(value) ? Number(name) : name]
          return [own, ...pathsIn(inner, own)]
        })

const sqlPath = (path: Path): string =>
  `$${path.map((part) => (typeof part === "number" ? `[${part}]` : `.${part}`)).join("")}`

/** What reading dies of. */
const defectOf = <A, E, R>(read: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.exit(read), (exit) => {
    if (Exit.isSuccess(exit)) return "it was read"
    const [reason] = exit.cause.reasons
    return reason !== undefined && Cause.isDieReason(reason) ? String(reason.defect) : "it failed"
  })

const open = (filename: string) =>
  Layer.provideMerge(Sql.layerSqliteStores, Sql.layerSqliteClient({ filename }))

describe("stored rows", () => {
  const damaged = { strange: true }

  it.effect("a task whose detail has a field of another type is a defect that names it", () =>
    Effect.gen(function* () {
      const tasks = yield* TaskStore
      const sql = yield* SqlClient.SqlClient
      const task = wholeTask()
      yield* tasks.insert(task)
      const rows = yield* sql.unsafe<{ detail: string }>("SELECT detail FROM tasks")
      const detail = rows[0]?.detail ?? ""
      const paths = pathsIn(JSON.parse(detail)).filter((path) => path[1] !== "extra")
      assert.isAbove(paths.length, 50)
      for (const path of paths) {
        yield* sql.unsafe("UPDATE tasks SET detail = json_set(?, ?, json(?))", [
          detail,
          sqlPath(path),
          JSON.stringify(damaged),
        ])
        const defect = yield* defectOf(tasks.get(task.id))
        assert.include(defect, `tasks.detail of ${task.id}: ${path[0]}`, sqlPath(path))
        assert.notInclude(defect, "strange")
      }
    }).pipe(Effect.provide(open(temporaryDatabase()))),
  )

  it.effect("what is no JSON is one too; fields of another release stay as they are", () =>
    Effect.gen(function* () {
      const tasks = yield* TaskStore
      const sql = yield* SqlClient.SqlClient
      const task = aToolTask()
      yield* tasks.insert(task)
      yield* sql.unsafe("UPDATE tasks SET detail = json_set(detail, '$.later', 1)")
      assert.include(yield* Effect.map(tasks.get(task.id), JSON.stringify), '"later":1')
      yield* sql.unsafe("UPDATE tasks SET detail = '{'")
      assert.include(yield* defectOf(tasks.get(task.id)), `tasks.detail of ${task.id}: not JSON`)
    }).pipe(Effect.provide(open(temporaryDatabase()))),
  )

  it.effect("so are lists of keys and attempts of callbacks", () =>
    Effect.gen(function* () {
      const keys = yield* KeyStore
      const callbacks = yield* CallbackStore
      const sql = yield* SqlClient.SqlClient
      const user = aUser()
      const key = aKey({ userId: user.id })
      const delivery = aDelivery({ keyId: key.id })
      yield* keys.insertUser(user)
      yield* keys.insertKey(key)
      yield* callbacks.insert(delivery)
      yield* sql.unsafe("UPDATE api_keys SET models = '[1]'")
      assert.include(yield* defectOf(keys.getKey(key.id)), `api_keys.models of ${key.id}: 0`)
      yield* sql.unsafe("UPDATE callbacks SET attempts = '[{}]'")
      assert.include(
        yield* defectOf(callbacks.get(delivery.taskId)),
        `callbacks.attempts of ${delivery.taskId}: 0.at`,
      )
    }).pipe(Effect.provide(open(temporaryDatabase()))),
  )
})
