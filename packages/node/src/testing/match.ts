import { AssertionError } from "node:assert"
import { inspect, isDeepStrictEqual } from "node:util"

/** What a value is compared to: itself, a pattern of a text, or a question; of an object the named fields alone. */
export type Expected<A> =
  | A
  | RegExp
  | ((value: A) => boolean)
  | (A extends object ? { readonly [K in keyof A]?: Expected<A[K]> } : never)

const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype

export const matches = (value: unknown, expected: unknown): boolean => {
  if (expected instanceof RegExp) return typeof value === "string" && expected.test(value)
  if (typeof expected === "function") return expected(value) === true
  if (isPlain(expected) && typeof value === "object" && value !== null) {
    return Object.entries(expected).every(([key, each]) => matches(Reflect.get(value, key), each))
  }
  return isDeepStrictEqual(value, expected)
}

export const shown = (value: unknown): string => inspect(value, { breakLength: 100, depth: 4 })

/** Fails as Node's `assert` does, so that every test runner shows both sides. */
export const fail = (
  message: string,
  actual: unknown,
  expected: unknown,
  from: (...args: never) => unknown,
): never => {
  throw new AssertionError({ message, actual, expected, operator: from.name, stackStartFn: from })
}
