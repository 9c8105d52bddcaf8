import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { type CoreError, refuse, StorageError } from "../domain/CoreError.ts"
import { pausesStaleMillis } from "../domain/Limits.ts"
import { globMatches } from "../domain/Principal.ts"
import { type Breaker, type ChannelCalls, type ChannelListing, ImageModels } from "../ports/ImageModel.ts"
import { SettingsStore } from "../ports/SettingsStore.ts"
import { Transaction } from "../ports/Transaction.ts"
import { quote } from "./Access.ts"
import { Audit } from "./Audit.ts"
import { type ChannelPrice, channelPrice } from "./channelPrices.ts"
import { ModelCatalog } from "./ModelCatalog.ts"

type Failure = CoreError | StorageError

/** As it is stored; null: the channel was resumed. */
const Stored = Schema.NullOr(Schema.Struct({ at: Schema.Finite, reason: Schema.String }))

/** Since when an operator has paused a channel, in Unix milliseconds, and why. */
export type ChannelPause = NonNullable<typeof Stored.Type>

export interface ChannelEntry extends Omit<ChannelListing, "breaker" | "calls"> {
  readonly breaker: Breaker
  readonly calls: ChannelCalls
  readonly pause: ChannelPause | null
}

/**
 * Channels as operators see and stop them. A paused channel is sent no new task; what it has accepted goes on. Tasks
 * that no other channel serves wait, until they are past their deadline. A pause is stored, holds in every process
 * within `pausesStaleMillis`, and outlives restarts.
 */
export class Channels extends Context.Service<
  Channels,
  {
    /** In the order of the configuration. */
    readonly ids: ReadonlyArray<string>
    /** In the same order. */
    readonly entries: Effect.Effect<ReadonlyArray<ChannelEntry>, StorageError>
    /** Of the models that a channel serves and that are sold, what their images cost and bring. */
    readonly prices: (channel: ChannelEntry) => Effect.Effect<ReadonlyArray<ChannelPrice>, StorageError>
    /** Refuses with `not_found`. */
    readonly get: (id: string) => Effect.Effect<ChannelEntry, Failure>
    /** Refuses with `not_found`. Pausing a paused channel sets the reason. */
    readonly pause: (id: string, reason: string) => Effect.Effect<ChannelEntry, Failure>
    /** Refuses with `not_found`. */
    readonly resume: (id: string) => Effect.Effect<ChannelEntry, Failure>
    /** Ids of the paused channels, at most `pausesStaleMillis` old. */
    readonly paused: Effect.Effect<ReadonlySet<string>, StorageError>
  }
>()("@atelier/core/services/Channels") {
  static readonly layer = Layer.effect(
    Channels,
    Effect.gen(function* () {
      const audit = yield* Audit
      const catalog = yield* ModelCatalog
      const { channels, find } = yield* ImageModels
      const settings = yield* SettingsStore
      const transaction = yield* Transaction

      const pauses = Effect.gen(function* () {
        const found = new Map<string, ChannelPause>()
        for (const [id, stored] of yield* settings.all("channel")) {
          const pause = yield* decode(stored)
          if (pause !== null) found.set(id, pause)
        }
        return found
      }).pipe(
        Effect.catchTag("SchemaError", (cause) =>
          Effect.fail(new StorageError({ operation: "settings.all", cause })),
        ),
      )

      const entryOf = Effect.fnUntraced(function* (
        { breaker, calls, ...rest }: ChannelListing,
        pause: ChannelPause | undefined,
      ) {
        const entry: ChannelEntry = {
          ...rest,
          breaker: yield* breaker,
          calls: yield* calls,
          pause: pause ?? null,
        }
        return entry
      })

      const require = (id: string) => {
        const found = channels.find((channel) => channel.id === id)
        return found === undefined
          ? Effect.fail(refuse("not_found", `There is no channel ${quote(id)}.`))
          : Effect.succeed(found)
      }

      const get = Effect.fnUntraced(function* (id: string) {
        return yield* entryOf(yield* require(id), (yield* pauses).get(id))
      })

      let seen: ReadonlySet<string> = new Set()
      let seenAt = Number.NEGATIVE_INFINITY

      const change = (action: string, id: string, pause: ChannelPause | null) =>
        audit.change(
          action,
          id,
          Effect.gen(function* () {
            const before = yield* get(id)
            yield* settings.put("channel", id, pause)
            yield* transaction.afterCommit(Effect.sync(() => (seenAt = Number.NEGATIVE_INFINITY)))
            return { value: { ...before, pause }, before: before.pause, after: pause }
          }),
        )

      return Channels.of({
        ids: channels.map(({ id }) => id),
        entries: Effect.flatMap(pauses, (paused) =>
          Effect.forEach(channels, (channel) => entryOf(channel, paused.get(channel.id))),
        ),
        prices: ({ costs, models }) =>
          Effect.map(catalog.entries, (entries) =>
            entries.flatMap(({ enabled, model }) => {
              const own = find(model.id)
              const isServed = enabled && models.some((pattern) => globMatches(pattern, model.id))
              return own !== undefined && isServed ? (channelPrice(costs, { own, sold: model }) ?? []) : []
            }),
          ),
        get,
        pause: (id, reason) =>
          Effect.flatMap(Clock.currentTimeMillis, (at) => change("channel.pause", id, { at, reason })),
        resume: (id) => change("channel.resume", id, null),
        paused: Effect.gen(function* () {
          const now = yield* Clock.currentTimeMillis
          if (now - seenAt < pausesStaleMillis && now >= seenAt) return seen
          seen = new Set((yield* pauses).keys())
          seenAt = now
          return seen
        }),
      })
    }),
  )
}

const decode = Schema.decodeUnknownEffect(Stored)
