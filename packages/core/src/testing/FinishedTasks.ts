import { assert, layer as shared } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { FinishedTasks } from "../ports/FinishedTasks.ts"
import { TaskStore } from "../ports/TaskStore.ts"
import { Transaction } from "../ports/Transaction.ts"
import { anImageTask, anImageTaskId } from "./fixtures.ts"

/** Behind every time of a test. */
const someday = Number.MAX_SAFE_INTEGER

const one = anImageTaskId()
const two = anImageTaskId()

/** What every adapter of `FinishedTasks` holds. The layer starts empty. */
export const finishedTasksSuite = (
  name: string,
  layer: Layer.Layer<FinishedTasks | TaskStore | Transaction, unknown>,
): void => {
  shared(layer)(`${name}: contract of FinishedTasks`, (it) => {
    it.effect("nothing is noticed before an application listens, and every final task after that", () =>
      Effect.gen(function* () {
        const notices = yield* FinishedTasks
        const tasks = yield* TaskStore
        const finish = Effect.fnUntraced(function* (id = anImageTaskId()) {
          const task = anImageTask({ id, state: "in_progress" })
          yield* tasks.insert(task)
          yield* tasks.update({ ...task, state: "failed", version: task.version + 1 }, task.version)
        })
        yield* finish()
        assert.deepStrictEqual(yield* notices.due(someday, 10), [])
        yield* notices.listen
        yield* notices.listen
        yield* finish(one)
        yield* finish(two)
        assert.deepStrictEqual((yield* notices.due(someday, 10)).map(({ taskId }) => taskId).sort(), [
          one,
          two,
        ])
        assert.deepStrictEqual(yield* notices.due(0, 10), [])
      }),
    )

    it.effect("is taken once, and only with the transaction that takes it", () =>
      Effect.gen(function* () {
        const notices = yield* FinishedTasks
        const { run } = yield* Transaction
        yield* Effect.flip(run(Effect.andThen(notices.take(one), Effect.fail("undo"))))
        assert.isTrue(yield* run(notices.take(one)))
        assert.isFalse(yield* run(notices.take(one)))
      }),
    )

    it.effect("is due again when the handler asked for it, with the number of tries", () =>
      Effect.gen(function* () {
        const notices = yield* FinishedTasks
        yield* notices.postpone(two, someday - 1)
        assert.deepStrictEqual(yield* notices.due(someday - 2, 10), [])
        assert.deepStrictEqual(yield* notices.due(someday - 1, 10), [{ taskId: two, attempts: 1 }])
      }),
    )

    it.effect("nothing is noticed after the application listens no more", () =>
      Effect.gen(function* () {
        const notices = yield* FinishedTasks
        const tasks = yield* TaskStore
        const before = yield* notices.due(someday, 10)
        yield* notices.unlisten
        yield* notices.unlisten
        const task = anImageTask({ id: anImageTaskId(), state: "in_progress" })
        yield* tasks.insert(task)
        yield* tasks.update({ ...task, state: "failed", version: task.version + 1 }, task.version)
        assert.deepStrictEqual(yield* notices.due(someday, 10), before)
      }),
    )

    it.effect("an old one is removed, as many at once as asked", () =>
      Effect.gen(function* () {
        const notices = yield* FinishedTasks
        assert.strictEqual(yield* notices.removeOld(0, 10), 0)
        assert.strictEqual(yield* notices.removeOld(someday, 1), 1)
        assert.strictEqual(yield* notices.removeOld(someday, 1), 0)
      }),
    )
  })
}
