import { Refusal } from "@atelier/intake/bytes"

/** The JSON value of an answer. Throws a `Refusal` (`converter_failed`). */
export const parseJson = (bytes: Uint8Array, vendor: string): unknown => {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
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
