import { Admin, formatUsd, type ModelOverride, type ToolOverride } from "@atelier/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { wrongUsage } from "../CommandFailed.ts"
import { withCatalogs } from "../Operator.ts"
import { print } from "../Output.ts"
import { amount } from "./Users.ts"

type Toggle = Option.Option<"true" | "false">

const given = <A extends object>(change: A): Effect.Effect<A, ReturnType<typeof wrongUsage>> =>
  Object.keys(change).length > 0
    ? Effect.succeed(change)
    : Effect.fail(wrongUsage("nothing to set: give at least one of the flags (see --help)"))

const toggled = (toggle: Toggle): boolean | undefined =>
  Option.getOrUndefined(Option.map(toggle, (value) => value === "true"))

/** A decimal as it was written, once it is known to be one. */
const decimal = (name: string, text: string) => Effect.as(amount(name, text), text)

export const setModel = (input: {
  readonly model: string
  readonly enabled: Toggle
  readonly delivery: Option.Option<"archive" | "passthrough">
  readonly price: Option.Option<string>
  readonly json: boolean
}) =>
  withCatalogs(
    Effect.gen(function* () {
      const enabled = toggled(input.enabled)
      const change: ModelOverride = {
        ...(enabled === undefined ? {} : { enabled }),
        ...(Option.isSome(input.delivery) ? { delivery: input.delivery.value } : {}),
        ...(Option.isSome(input.price) ? { price: yield* decimal("--price", input.price.value) } : {}),
      }
      const entry = yield* (yield* Admin).overrideModel(input.model, yield* given(change))
      const { id, delivery, pricing } = entry.model
      yield* print(input.json, { id, enabled: entry.enabled, delivery, pricing_display: pricing }, () => [
        `model     ${id}`,
        `enabled   ${entry.enabled}`,
        `delivery  ${delivery}`,
        ...pricing.table.map(
          (row) =>
            `price     ${Object.entries(row)
              .map(([name, value]) => `${name} ${value}`)
              .join(", ")}`,
        ),
      ])
    }),
  )

export const setTool = (input: {
  readonly tool: string
  readonly published: Toggle
  readonly price: Option.Option<string>
  readonly maxFileBytes: Option.Option<number>
  readonly json: boolean
}) =>
  withCatalogs(
    Effect.gen(function* () {
      const published = toggled(input.published)
      if (Option.isSome(input.maxFileBytes) && input.maxFileBytes.value < 1) {
        return yield* wrongUsage(`--max-file-bytes: expected at least 1, got ${input.maxFileBytes.value}`)
      }
      const change: ToolOverride = {
        ...(published === undefined ? {} : { published }),
        ...(Option.isSome(input.price) ? { unit_price: yield* decimal("--price", input.price.value) } : {}),
        ...(Option.isSome(input.maxFileBytes) ? { max_file_bytes: input.maxFileBytes.value } : {}),
      }
      const entry = yield* (yield* Admin).overrideTool(input.tool, yield* given(change))
      const shown = {
        id: entry.executor.definition.id,
        published: entry.published,
        unit_price: formatUsd(entry.unitPrice),
        max_file_bytes: entry.maxFileBytes,
      }
      yield* print(input.json, shown, () => Object.entries(shown).map(([name, value]) => `${name}  ${value}`))
    }),
  )
