import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as PubSub from "effect/PubSub"
import * as Stream from "effect/Stream"

/**
 * Tells waiting readers that a task changed. A signal carries no state: its receiver reads the task again.
 * Subscribing takes effect before the stream's first pull is answered, so that no change in between is missed.
 */
export class TaskSignals extends Context.Service<
  TaskSignals,
  {
    readonly publish: (id: string) => Effect.Effect<void>
    /** Emits once at the start and then after every change of the task. */
    readonly changes: (id: string) => Stream.Stream<void>
  }
>()("@atelier/core/ports/TaskSignals") {
  /** Signals within one process. */
  static readonly layerMemory = Layer.effect(
    TaskSignals,
    Effect.gen(function* () {
      const topics = new Map<string, { readonly pubsub: PubSub.PubSub<void>; readers: number }>()
      const publish = (id: string) =>
        Effect.suspend(() => {
          const topic = topics.get(id)
          return topic === undefined ? Effect.void : Effect.asVoid(PubSub.publish(topic.pubsub, undefined))
        })
      const join = (id: string) =>
        Effect.acquireRelease(
          Effect.gen(function* () {
            const topic = topics.get(id) ?? { pubsub: yield* PubSub.sliding<void>(1), readers: 0 }
            topic.readers += 1
            topics.set(id, topic)
            return topic
          }),
          (topic) =>
            Effect.sync(() => {
              topic.readers -= 1
              if (topic.readers === 0) topics.delete(id)
            }),
        )
      const changes = (id: string) =>
        Stream.unwrap(
          Effect.gen(function* () {
            const topic = yield* join(id)
            const subscription = yield* PubSub.subscribe(topic.pubsub)
            return Stream.concat(Stream.succeed(undefined), Stream.fromSubscription(subscription))
          }),
        )
      return TaskSignals.of({ publish, changes })
    }),
  )
}
