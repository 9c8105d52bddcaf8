import { type ChannelEntry, Channels } from "@atelier/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { withCatalogs } from "../Operator.ts"
import { print, table, time } from "../Output.ts"

export const list = (input: { readonly json: boolean }) =>
  withCatalogs(
    Effect.gen(function* () {
      const entries = yield* (yield* Channels).entries
      yield* print(input.json, entries.map(toJson), () => lines(entries))
    }),
  )

export const pause = (input: {
  readonly channel: string
  readonly reason: Option.Option<string>
  readonly json: boolean
}) =>
  withCatalogs(
    Effect.gen(function* () {
      const channels = yield* Channels
      const entry = yield* channels.pause(
        input.channel,
        Option.getOrElse(input.reason, () => ""),
      )
      yield* print(input.json, toJson(entry), () => lines([entry]))
    }),
  )

export const resume = (input: { readonly channel: string; readonly json: boolean }) =>
  withCatalogs(
    Effect.gen(function* () {
      const entry = yield* (yield* Channels).resume(input.channel)
      yield* print(input.json, toJson(entry), () => lines([entry]))
    }),
  )

/** Without the circuit breaker, which each server has of its own. */
const toJson = ({ id, adapter, models, priority, weight, pause }: ChannelEntry) => ({
  id,
  adapter,
  models,
  priority,
  weight,
  paused: pause !== null,
  paused_at: pause === null ? null : Math.floor(pause.at / 1000),
  reason: pause?.reason ?? null,
})

const lines = (entries: ReadonlyArray<ChannelEntry>) =>
  table(
    ["ID", "ADAPTER", "MODELS", "PRIORITY", "WEIGHT", "PAUSED SINCE", "REASON"],
    entries.map(({ id, adapter, models, priority, weight, pause }) => [
      id,
      adapter ?? "-",
      models.join(","),
      String(priority),
      String(weight),
      time(pause === null ? null : pause.at / 1000),
      pause?.reason ?? "",
    ]),
  )
