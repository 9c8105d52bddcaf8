import type { Model } from "@atelier/client"
import * as Option from "effect/Option"
import { asCaller } from "../Caller.ts"
import type { Target } from "../Login.ts"
import { say, table } from "../Output.ts"

export const models = (input: Target & { readonly model: Option.Option<string>; readonly json: boolean }) =>
  asCaller(input, async ({ atelier, signal }) => {
    if (Option.isSome(input.model)) {
      const model = await atelier.models.get(input.model.value, { signal })
      return say(input.json, model, () => describe(model))
    }
    const data = await atelier.models.list({ signal })
    say(input.json, { object: "list", data }, () =>
      table(
        ["ID", "FROM", "IMAGES", "REFERENCES", "DELIVERY"],
        data.map((model) => [
          model.id,
          priceFrom(model),
          `1-${model.limits.n}`,
          String(model.limits.reference_images),
          model.delivery,
        ]),
      ),
    )
  })

export const tools = (input: Target & { readonly json: boolean }) =>
  asCaller(input, async ({ atelier, signal }) => {
    const data = await atelier.tools.list({ signal })
    say(input.json, { object: "list", data }, () =>
      table(
        ["ID", "PRICE", "BYTES", "FILES"],
        data.map(({ id, pricing_display, max_file_bytes, extensions }) => [
          id,
          pricing_display.text,
          String(max_file_bytes),
          shortened(extensions),
        ]),
      ),
    )
  })

const extensionsShownMax = 10

/** All are in `--json`. */
const shortened = (extensions: ReadonlyArray<string>): string => {
  const more = extensions.length - extensionsShownMax
  const shown = extensions.slice(0, extensionsShownMax).join(" ")
  return more > 0 ? `${shown} and ${more} more` : shown
}

const describe = (model: Model): ReadonlyArray<string> => [
  `id          ${model.id}`,
  `endpoints   ${model.endpoints.join(", ")}`,
  `delivery    ${model.delivery}`,
  `images      1-${model.limits.n}, prompt up to ${model.limits.prompt_chars} characters`,
  "",
  ...table(
    ["PARAMETER", "TYPE", "VALUES", "DEFAULT"],
    Object.entries(model.parameters).map(([name, each]) => [
      name,
      each.type,
      each.enum?.join(" ") ?? ([each.minimum, each.maximum].some(isThere) ? rangeOf(each) : ""),
      String(each.default ?? ""),
    ]),
  ),
  "",
  `prices in ${model.pricing_display.currency} per ${model.pricing_display.unit}`,
  ...model.pricing_display.table.map((row) =>
    Object.entries(row)
      .map(([name, value]) => `${name} ${value}`)
      .join(", "),
  ),
]

const isThere = (value: number | undefined): boolean => value !== undefined
const rangeOf = ({ minimum, maximum }: Model["parameters"][string]): string =>
  `${minimum ?? ""}-${maximum ?? ""}`

/** The lowest price of an image: rows for input images are left out. */
const priceFrom = ({ pricing_display: { table, currency, unit } }: Model): string => {
  const images = table.filter((row) => !("input_image" in row))
  const amounts = images.map((row) => Number(row["usd"])).filter((amount) => Number.isFinite(amount))
  return amounts.length === 0 ? "-" : `${Math.min(...amounts)} ${currency} per ${unit}`
}
