import { parseJson as parse, Refusal } from "@atelier/intake/bytes"

/** An answer is a few fields around long texts. */
const answerLimits = { json_depth_max: 64, json_values_max: 100_000, json_keys_max: 100_000 }

/** The JSON value of an answer. Throws a `Refusal` (`converter_failed`). */
export const parseJson = (bytes: Uint8Array, vendor: string): unknown => {
  try {
    return parse(bytes, answerLimits)
  } catch {
    throw new Refusal("converter_failed", `The converter ${vendor} answered with what is not JSON.`)
  }
}

/** A property of a JSON value, or undefined where there is none. */
export const property = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined

export const unknownAnswer = (vendor: string): Refusal =>
  new Refusal("converter_failed", `The converter ${vendor} answered in a form that is not known.`)
