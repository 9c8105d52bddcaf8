import { assert, layer as shared, type Vitest } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { imageKeptApart, type Task } from "../domain/Task.ts"
import { TaskStore } from "../ports/TaskStore.ts"
import { Transaction } from "../ports/Transaction.ts"
import { aFileId, aKeyId, anImageTask, aToolTask, aUserId } from "./fixtures.ts"

type Methods = Vitest.MethodsNonLive<TaskStore | Transaction>

/** What every adapter of `TaskStore` holds. */
export const taskStoreSuite = (name: string, layer: Layer.Layer<TaskStore | Transaction, unknown>): void => {
  shared(layer)(`${name}: contract of TaskStore`, (it) => {
    storing(it)
    comparing(it)
    lists(it)
    ofRequests(it)
    withImages(it)
    unfinished(it)
    scans(it)
  })
}

const insertAll = Effect.fnUntraced(function* (tasks: ReadonlyArray<Task>) {
  const store = yield* TaskStore
  const { run } = yield* Transaction
  yield* run(Effect.forEach(tasks, store.insert, { discard: true }))
})

const ids = (tasks: ReadonlyArray<Task>) => tasks.map((task) => task.id)

const storing = (it: Methods): void => {
  it.effect("a task is read as it was written, every field of it", () =>
    Effect.gen(function* () {
      const store = yield* TaskStore
      const image = anImageTask({
        state: "completed",
        idempotencyKey: "ünique",
        requestId: "req_1",
        charged: 60,
        released: 40,
        error: { code: "timeout", message: "too late" },
        warnings: [{ code: "unknown_field", message: "`foo` was ignored" }],
        history: [
          { at: 5, event: "submit", from: null, to: "queued", transfers: ["hold:x"], requestId: "req_1" },
        ],
        startedAt: 1,
        finishedAt: 2,
        upstream: { channel: "main", upstreamId: "up-1" },
        progress: 40,
        result: {
          assets: [{ blob: "b", url: null, contentType: "image/png", width: 1, height: 2, bytes: 3 }],
          jobId: "j",
          text: null,
          seed: 9,
        },
      })
      const tool = aToolTask({
        state: "succeeded",
        results: [{ format: "json", blob: "r/1", bytes: 12, contentType: "application/json" }],
        purged: true,
      })
      yield* insertAll([image, tool])
      assert.deepStrictEqual(yield* store.get(image.id), Option.some(image))
      assert.deepStrictEqual(yield* store.get(tool.id), Option.some(tool))
    }),
  )

  it.effect("an unknown id gives no task, whatever it looks like", () =>
    Effect.gen(function* () {
      const store = yield* TaskStore
      for (const id of ["", "imgtask_none", "' OR 1=1 --", "\0", "x".repeat(10_000)]) {
        assert.deepStrictEqual(yield* store.get(id), Option.none())
      }
    }),
  )

  it.effect("an id is taken once", () =>
    Effect.gen(function* () {
      const task = anImageTask()
      yield* insertAll([task])
      assert.strictEqual((yield* Effect.flip(insertAll([task])))._tag, "StorageError")
    }),
  )
}

const comparing = (it: Methods): void => {
  it.effect("an update is written where the version is the one seen, and not where it is another", () =>
    Effect.gen(function* () {
      const store = yield* TaskStore
      const task = anImageTask()
      yield* insertAll([task])
      const next = {
        ...task,
        version: 2,
        state: "in_progress",
        progress: 10,
        deadlineAt: 1_800_000_000_000,
      } as const
      assert.isTrue(yield* store.update(next, 1))
      assert.deepStrictEqual(yield* store.get(task.id), Option.some(next))
      assert.isFalse(yield* store.update({ ...next, progress: 20 }, 1))
      assert.isFalse(yield* store.update({ ...next, version: 4 }, 3))
      assert.deepStrictEqual(yield* store.get(task.id), Option.some(next))
    }),
  )

  it.effect("an update of a task that is not there is false", () =>
    Effect.gen(function* () {
      const store = yield* TaskStore
      assert.isFalse(yield* store.update(anImageTask({ version: 2 }), 1))
    }),
  )

  it.effect("of racing updates that saw the same version exactly one wins", () =>
    Effect.gen(function* () {
      const store = yield* TaskStore
      const { run } = yield* Transaction
      const task = anImageTask()
      yield* insertAll([task])
      const won = yield* Effect.forEach(
        Array.from({ length: 20 }, (_, index) => index),
        (progress) => run(store.update({ ...task, version: 2, progress }, 1)),
        { concurrency: "unbounded" },
      )
      assert.strictEqual(won.filter((one) => one).length, 1)
      const stored = yield* store.get(task.id)
      assert.deepStrictEqual(stored, Option.some({ ...task, version: 2, progress: won.indexOf(true) }))
    }),
  )

  it.effect("a final state is never left, but its record may still change", () =>
    Effect.gen(function* () {
      const store = yield* TaskStore
      const failed = anImageTask({ state: "failed" })
      const succeeded = aToolTask({ state: "succeeded" })
      yield* insertAll([failed, succeeded])
      assert.isFalse(yield* store.update({ ...failed, state: "completed", version: 2 }, 1))
      assert.isFalse(yield* store.update({ ...succeeded, state: "running", version: 2 }, 1))
      assert.isTrue(yield* store.update({ ...succeeded, purged: true, results: [], version: 2 }, 1))
    }),
  )

  it.effect("what a failing transaction wrote is gone", () =>
    Effect.gen(function* () {
      const store = yield* TaskStore
      const { run } = yield* Transaction
      const [task, other] = [anImageTask(), anImageTask()]
      yield* insertAll([task])
      const body = Effect.andThen(store.update({ ...task, version: 2, progress: 50 }, 1), store.insert(other))
      yield* Effect.flip(run(Effect.andThen(body, Effect.fail("no"))))
      assert.deepStrictEqual(yield* store.get(task.id), Option.some(task))
      assert.deepStrictEqual(yield* store.get(other.id), Option.none())
    }),
  )
}

const lists = (it: Methods): void => {
  it.effect("lists are newest first, both services together, of one key or user", () =>
    Effect.gen(function* () {
      const store = yield* TaskStore
      const owner = { userId: aUserId(), keyId: aKeyId() }
      const sibling = { userId: owner.userId, keyId: aKeyId() }
      const mine = [anImageTask(owner), aToolTask(owner), anImageTask(owner), aToolTask(owner)]
      const others = [anImageTask(sibling), anImageTask()]
      yield* insertAll([...mine, ...others])
      const newest = mine.toReversed()
      assert.deepStrictEqual(yield* store.list({ keyId: owner.keyId, limit: 100 }), newest)
      assert.deepStrictEqual(
        ids(yield* store.list({ userId: owner.userId, limit: 100 })),
        ids([...mine, ...others.slice(0, 1)].toReversed()),
      )
      assert.deepStrictEqual(
        yield* store.list({ keyId: owner.keyId, kind: "tool", limit: 1 }),
        newest.slice(0, 1),
      )
      assert.deepStrictEqual(ids(yield* store.list({ limit: 2 })), ids(others.toReversed()))
    }),
  )

  it.effect("pages follow each other without gap or repetition, while tasks are added", () =>
    Effect.gen(function* () {
      const store = yield* TaskStore
      const owner = { userId: aUserId(), keyId: aKeyId() }
      const tasks = Array.from({ length: 11 }, (_, index) =>
        index % 3 === 0
          ? aToolTask(owner)
          : anImageTask({ ...owner, state: index % 2 ? "queued" : "failed" }),
      )
      yield* insertAll(tasks)
      const seen: Array<string> = []
      let after: string | undefined
      for (;;) {
        const page = yield* store.list({ keyId: owner.keyId, limit: 3, ...(after && { after }) })
        if (page.length === 0) break
        seen.push(...ids(page))
        after = page.at(-1)?.id
        yield* insertAll([anImageTask(owner)])
      }
      assert.deepStrictEqual(seen, ids(tasks.toReversed()))
    }),
  )

  it.effect("filters are conjunctive", () =>
    Effect.gen(function* () {
      const store = yield* TaskStore
      const owner = { userId: aUserId(), keyId: aKeyId() }
      const other = { ...anImageTask().request, model: "dream-1" }
      const queued = anImageTask(owner)
      const archiving = anImageTask({ ...owner, state: "archiving" })
      const failed = anImageTask({ ...owner, state: "failed", request: other })
      const toolFailed = aToolTask({ ...owner, state: "failed" })
      const done = anImageTask({ ...owner, state: "completed" })
      yield* insertAll([queued, archiving, failed, toolFailed, done])
      const { keyId, userId } = owner
      const list = (query: Partial<Parameters<typeof store.list>[0]>) =>
        Effect.map(store.list({ keyId, limit: 100, ...query }), ids)
      assert.deepStrictEqual(yield* list({ states: ["failed"] }), ids([toolFailed, failed]))
      assert.deepStrictEqual(yield* list({ states: ["failed"], kind: "image" }), ids([failed]))
      assert.deepStrictEqual(yield* list({ states: ["archiving", "queued"] }), ids([archiving, queued]))
      assert.deepStrictEqual(yield* list({ subject: "dream-1" }), ids([failed]))
      assert.deepStrictEqual(yield* list({ subject: "gen-image-2", states: ["completed"] }), ids([done]))
      assert.deepStrictEqual(yield* list({ subject: "gen-image-2", kind: "tool" }), [])
      assert.deepStrictEqual(yield* list({ subject: "text-md-json", userId }), ids([toolFailed]))
      assert.deepStrictEqual(yield* list({ userId: aUserId() }), [])
      assert.deepStrictEqual(yield* list({ states: [] }), [])
      assert.deepStrictEqual(yield* list({ states: ["no'such state"] }), [])
      assert.deepStrictEqual(yield* list({ after: "imgtask_unknown" }), [])
      assert.deepStrictEqual(yield* list({ states: ["failed"], after: toolFailed.id }), ids([failed]))
    }),
  )
}

const withImages = (it: Methods): void => {
  it.effect("an image that came inside the request is kept apart from the task until it is final", () =>
    Effect.gen(function* () {
      const store = yield* TaskStore
      const { run } = yield* Transaction
      const images = ["https://example.com/a.png", `data:image/png;base64,${"A".repeat(100_000)}`]
      const task = anImageTask({ request: { ...anImageTask().request, images } })
      yield* insertAll([task])
      const stored = Option.getOrThrow(yield* store.get(task.id))
      const apart = { ...task.request, images: ["https://example.com/a.png", imageKeptApart] }
      assert.deepStrictEqual(stored, { ...task, request: apart })
      assert.deepStrictEqual(yield* store.list({ keyId: task.keyId, limit: 1 }), [stored])
      assert.deepStrictEqual(yield* store.images(task.id), Option.some(images))
      const running = { ...task, request: apart, state: "in_progress", version: 2 } as const
      // Also where the task is written as it was submitted, with its images.
      assert.isTrue(yield* run(store.update({ ...running, request: task.request }, 1)))
      assert.deepStrictEqual(yield* store.get(task.id), Option.some(running))
      assert.deepStrictEqual(yield* store.images(task.id), Option.some(images))
      const failed = { ...running, state: "failed", version: 3 } as const
      assert.isFalse(yield* run(store.update(failed, 1)))
      assert.deepStrictEqual(yield* store.images(task.id), Option.some(images))
      assert.isTrue(yield* run(store.update(failed, 2)))
      assert.deepStrictEqual(yield* store.images(task.id), Option.none())
      assert.deepStrictEqual(yield* store.get(task.id), Option.some(failed))
    }),
  )

  it.effect("a task whose images are addresses has none apart", () =>
    Effect.gen(function* () {
      const store = yield* TaskStore
      const task = anImageTask()
      yield* insertAll([task])
      assert.deepStrictEqual(yield* store.images(task.id), Option.none())
    }),
  )
}

const ofRequests = (it: Methods): void => {
  it.effect("what a request submitted is found by its id, newest first, with every other filter", () =>
    Effect.gen(function* () {
      const store = yield* TaskStore
      const [requestId, owner] = ["req_of the suite", { userId: aUserId(), keyId: aKeyId() }]
      const image = anImageTask({ ...owner, requestId, state: "failed" })
      const tool = aToolTask({ requestId })
      yield* insertAll([image, tool, anImageTask(owner), anImageTask({ requestId: "req_another" })])
      const list = (query: Partial<Parameters<typeof store.list>[0]>) =>
        Effect.map(store.list({ requestId, limit: 100, ...query }), ids)
      assert.deepStrictEqual(yield* list({}), ids([tool, image]))
      assert.deepStrictEqual(yield* list({ limit: 1 }), ids([tool]))
      assert.deepStrictEqual(yield* list({ after: tool.id }), ids([image]))
      assert.deepStrictEqual(yield* list({ kind: "tool" }), ids([tool]))
      assert.deepStrictEqual(yield* list({ ...owner, states: ["failed"], subject: "gen-image-2" }), [
        image.id,
      ])
      assert.deepStrictEqual(yield* list({ userId: aUserId() }), [])
      assert.deepStrictEqual(yield* list({ states: [] }), [])
      assert.deepStrictEqual(yield* list({ requestId: "req_none" }), [])
    }),
  )

  it.effect("tasks of all keys are found by idempotency key, by model, and by the time of acceptance", () =>
    Effect.gen(function* () {
      const store = yield* TaskStore
      const [model, idempotencyKey] = ["model-of-the-suite", "order-of-the-suite"]
      const request = { ...anImageTask().request, model }
      // Later than every other task, as what is accepted is.
      const start = 3_000_000_000_000
      const one = anImageTask({ request, idempotencyKey, createdAt: start, state: "failed" })
      const two = aToolTask({ idempotencyKey, createdAt: start + 1 })
      const three = anImageTask({ request, idempotencyKey: "another", createdAt: start + 1000 })
      yield* insertAll([one, two, three])
      const list = (query: Partial<Parameters<typeof store.list>[0]>) =>
        Effect.map(store.list({ limit: 100, ...query }), ids)
      assert.deepStrictEqual(yield* list({ idempotencyKey }), ids([two, one]))
      assert.deepStrictEqual(yield* list({ idempotencyKey, states: ["failed"] }), ids([one]))
      assert.deepStrictEqual(yield* list({ idempotencyKey, userId: two.userId }), ids([two]))
      assert.deepStrictEqual(yield* list({ idempotencyKey, requestId: "req_none" }), [])
      assert.deepStrictEqual(yield* list({ subject: model }), ids([three, one]))
      assert.deepStrictEqual(yield* list({ subject: model, limit: 1 }), ids([three]))
      assert.deepStrictEqual(yield* list({ subject: model, states: ["queued"] }), ids([three]))
      assert.deepStrictEqual(yield* list({ subject: model, userId: one.userId }), ids([one]))
      assert.deepStrictEqual(yield* list({ from: start }), ids([three, two, one]))
      assert.deepStrictEqual(yield* list({ from: start + 1, until: start + 1000 }), ids([two]))
      assert.deepStrictEqual(yield* list({ from: start, until: start + 1, kind: "image" }), ids([one]))
      assert.deepStrictEqual(yield* list({ from: start, after: two.id }), ids([one]))
      assert.deepStrictEqual(yield* list({ from: start + 5000 }), [])
    }),
  )

  it.effect("the task that has been queued longest, of each kind", () =>
    Effect.gen(function* () {
      const store = yield* TaskStore
      const all = yield* store.list({ limit: 1000, states: ["queued"] })
      for (const kind of ["image", "tool"] as const) {
        const oldest = all.findLast((task) => task.kind === kind)
        assert.deepStrictEqual(
          yield* store.oldestQueued(kind),
          Option.map(Option.fromUndefinedOr(oldest), ({ createdAt }) => createdAt),
        )
      }
    }),
  )
}

const unfinished = (it: Methods): void => {
  it.effect("unfinished tasks are counted by user and kind", () =>
    Effect.gen(function* () {
      const store = yield* TaskStore
      const owner = { userId: aUserId() }
      const running = aToolTask({ ...owner, state: "running" })
      yield* insertAll([
        running,
        aToolTask(owner),
        aToolTask({ ...owner, state: "failed" }),
        aToolTask({ ...owner, state: "succeeded" }),
        anImageTask({ ...owner, state: "unknown" }),
        anImageTask({ ...owner, state: "completed" }),
        aToolTask(),
      ])
      assert.strictEqual(yield* store.countUnfinished(owner.userId, "tool"), 2)
      assert.strictEqual(yield* store.countUnfinished(owner.userId, "image"), 1)
      yield* store.update({ ...running, state: "succeeded", version: 2 }, 1)
      assert.strictEqual(yield* store.countUnfinished(owner.userId, "tool"), 1)
      assert.strictEqual(yield* store.countUnfinished(aUserId(), "tool"), 0)
    }),
  )

  it.effect("document-tools 4.7: a file is in use while a task on it is unfinished", () =>
    Effect.gen(function* () {
      const store = yield* TaskStore
      const fileId = aFileId()
      const task = aToolTask({ fileId })
      yield* insertAll([aToolTask({ fileId, state: "failed" })])
      assert.isFalse(yield* store.hasUnfinishedForFile(fileId))
      yield* insertAll([task])
      assert.isTrue(yield* store.hasUnfinishedForFile(fileId))
      yield* store.update({ ...task, state: "succeeded", version: 2 }, 1)
      assert.isFalse(yield* store.hasUnfinishedForFile(fileId))
    }),
  )
}

const result = (jobId: string | null) => ({ assets: [], jobId, text: null, seed: null })

const scans = (it: Methods): void => {
  it.effect("past deadlines come earliest first, unfinished tasks only", () =>
    Effect.gen(function* () {
      const store = yield* TaskStore
      const [second, first] = [anImageTask({ deadlineAt: 20 }), aToolTask({ deadlineAt: 10 })]
      yield* insertAll([
        second,
        first,
        anImageTask({ deadlineAt: 15, state: "completed" }),
        anImageTask({ deadlineAt: 21 }),
      ])
      assert.deepStrictEqual(yield* store.pastDeadline(20, 10), [first, second])
      assert.deepStrictEqual(yield* store.pastDeadline(20, 1), [first])
      yield* store.update({ ...first, version: 2, deadlineAt: 30 }, 1)
      assert.deepStrictEqual(yield* store.pastDeadline(20, 10), [second])
    }),
  )

  it.effect("past expiry are the tool tasks whose results are still there", () =>
    Effect.gen(function* () {
      const store = yield* TaskStore
      const task = aToolTask({ expiresAt: 10, state: "succeeded" })
      yield* insertAll([
        task,
        aToolTask({ expiresAt: 10, state: "succeeded", purged: true }),
        aToolTask({ expiresAt: 11, state: "succeeded" }),
        anImageTask({ expiresAt: 5, state: "completed" }),
      ])
      assert.deepStrictEqual(yield* store.pastExpiry(10, 10), [task])
      yield* store.update({ ...task, version: 2, purged: true }, 1)
      assert.deepStrictEqual(yield* store.pastExpiry(10, 10), [])
    }),
  )

  it.effect("final tasks of which nothing is under way can be removed, with their callbacks", () =>
    Effect.gen(function* () {
      const store = yield* TaskStore
      const { run } = yield* Transaction
      const at = 500
      const own = { createdAt: at, finishedAt: at }
      const old = anImageTask({ ...own, state: "completed" })
      const document = aToolTask({ ...own, state: "failed" })
      const running = anImageTask({ ...own, state: "in_progress" })
      const young = anImageTask({ state: "completed", createdAt: at + 1_000_000_000_000 })
      yield* insertAll([old, document, running, young])
      const known = new Set<string>([old.id, document.id, running.id, young.id])
      const removable = (after = 0) =>
        Effect.map(store.removable({ acceptedBefore: at, now: at, after, limit: 1000 }), (found) =>
          found.filter(({ task }) => known.has(task.id)),
        )
      // Rows of other tests that are younger come before these: what is asked for is in the order of acceptance.
      const found = yield* removable()
      const foundIds = ids(found.map(({ task }) => task))
      assert.notInclude(foundIds, running.id)
      assert.notInclude(foundIds, young.id)
      for (const id of [old.id, document.id, running.id]) yield* run(store.remove(id))
      assert.isTrue(Option.isNone(yield* store.get(old.id)))
      assert.isTrue(Option.isNone(yield* store.get(document.id)))
      assert.isTrue(Option.isSome(yield* store.get(running.id)))
      assert.deepStrictEqual(yield* removable(), [])
    }),
  )

  it.effect("contract, Images: a finished step is found by its job id, by its key alone", () =>
    Effect.gen(function* () {
      const store = yield* TaskStore
      const keyId = aKeyId()
      const running = anImageTask({ keyId, state: "archiving", result: result("step-1") })
      const done = { ...running, state: "completed", version: 2 } as const
      yield* insertAll([running, anImageTask({ keyId, state: "completed", result: result(null) })])
      assert.deepStrictEqual(yield* store.findByJobId(keyId, "step-1"), Option.none())
      yield* store.update(done, 1)
      assert.deepStrictEqual(yield* store.findByJobId(keyId, "step-1"), Option.some(done))
      assert.deepStrictEqual(yield* store.findByJobId(keyId, "step-2"), Option.none())
      assert.deepStrictEqual(yield* store.findByJobId(aKeyId(), "step-1"), Option.none())
    }),
  )
}
