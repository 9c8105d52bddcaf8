import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { JsonCount, JsonExcess, type JsonLimits, parseJson } from "../src/bytes.ts"

const boundless = {
  json_depth_max: Number.MAX_SAFE_INTEGER,
  json_values_max: Number.MAX_SAFE_INTEGER,
  json_keys_max: Number.MAX_SAFE_INTEGER,
  json_nodes_max: Number.MAX_SAFE_INTEGER,
  json_escapes_max: Number.MAX_SAFE_INTEGER,
}

const parse = (text: string, limits: Partial<JsonLimits> = {}) =>
  parseJson(Buffer.from(text), { ...boundless, ...limits })

/** What a built value holds, to hold the counts on the bytes against. */
const countsOf = (value: unknown): Required<Omit<JsonLimits, "json_escapes_max">> => {
  if (value === null || typeof value !== "object") {
    return { json_depth_max: 0, json_values_max: 1, json_keys_max: 0, json_nodes_max: 0 }
  }
  const members = Object.values(value)
  const counts = members.map(countsOf)
  const sum = (name: keyof Omit<JsonLimits, "json_escapes_max">) =>
    counts.reduce((total, each) => total + each[name], 0)
  return {
    json_depth_max: 1 + Math.max(0, ...counts.map((each) => each.json_depth_max)),
    json_values_max: 1 + sum("json_values_max"),
    json_keys_max: (Array.isArray(value) ? 0 : members.length) + sum("json_keys_max"),
    json_nodes_max: 1 + sum("json_nodes_max"),
  }
}

const hardStrings = fc.oneof(
  fc.string(),
  fc.string({ unit: fc.constantFrom('"', "\\", "[", "}", ":", ",", "é", " ", "a") }),
  // Longer than what is looked at byte by byte.
  fc.string({ unit: fc.constantFrom('"', "\\", "a", "bb\\"), minLength: 60, maxLength: 400 }),
)
const values = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    hardStrings,
    fc.constantFrom(null, true, false, 0, -1.5e-7, 12345678901),
    fc.array(tie("value"), { maxLength: 5 }),
    fc.dictionary(hardStrings, tie("value"), { maxKeys: 5, noNullPrototype: true }),
  ),
})).value

describe("JSON of others is counted on its bytes, before anything is built", () => {
  it("what keeps the limits is what JSON.parse gives", () => {
    fc.assert(
      fc.property(values, fc.integer({ min: 0, max: 3 }), (value, indent) => {
        const text = JSON.stringify(value, null, indent)
        assert.deepStrictEqual(parse(text, countsOf(JSON.parse(text))), JSON.parse(text))
      }),
    )
  })

  it("one less of anything, and it is refused by the name of the limit", () => {
    fc.assert(
      fc.property(values, fc.integer({ min: 0, max: 3 }), (value, indent) => {
        const text = JSON.stringify(value, null, indent)
        for (const [name, count] of Object.entries(countsOf(JSON.parse(text)))) {
          if (count === 0) continue
          const error = thrownBy(() => parse(text, { [name]: count - 1 }))
          assert.instanceOf(error, JsonExcess)
          assert.include(error.message, `the limit ${name} is ${count - 1}.`)
        }
      }),
    )
  })

  it("in whatever pieces it arrives, the counts are the same", () => {
    const limits = { json_depth_max: 3, json_values_max: 12, json_keys_max: 4, json_nodes_max: 6 }
    const outcome = (bytes: Uint8Array, pieces: ReadonlyArray<Uint8Array>) => {
      const count = new JsonCount(limits)
      try {
        for (const piece of pieces) count.add(piece)
        return count.parse(bytes)
      } catch (error) {
        return String(error)
      }
    }
    fc.assert(
      fc.property(values, fc.array(fc.nat(200), { maxLength: 8 }), (value, cuts) => {
        const bytes = Buffer.from(JSON.stringify(value))
        const ends = [...cuts, bytes.length].toSorted((a, b) => a - b)
        const pieces = ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end))
        assert.deepStrictEqual(outcome(bytes, pieces), outcome(bytes, [bytes]))
      }),
      { numRuns: 1000 },
    )
  })

  it("escaped characters are counted, wherever the pieces of a text end", () => {
    // Four escapes, two of them of a backslash.
    const text = '["a\\u0041\\\\n","\\"b\\\\"]'
    const bytes = Buffer.from(text)
    for (let cut = 0; cut <= bytes.length; cut++) {
      const countOf = (escapesMax: number) => () => {
        const count = new JsonCount({ ...boundless, json_escapes_max: escapesMax })
        count.add(bytes.subarray(0, cut))
        count.add(bytes.subarray(cut))
        return count.parse(bytes)
      }
      assert.deepStrictEqual(countOf(4)(), JSON.parse(text))
      assert.match(String(thrownBy(countOf(3))), /is 4 escapes long; the limit json_escapes_max is 3\.$/)
    }
  })

  it("the message names the byte, the count and the limit", () => {
    const error = thrownBy(() => parse("[[],[],[]]", { json_values_max: 2 }))
    assert.strictEqual(
      String(error),
      "Error: At byte 7 the JSON is 3 values long; the limit json_values_max is 2.",
    )
  })

  it.each([
    ["never closed lists", "[".repeat(1_000_000), "json_depth_max"],
    ["never closed objects", '{"a":'.repeat(1_000_000), "json_depth_max"],
    ["empty lists", `[${"[],".repeat(1_000_000)}[]]`, "json_values_max"],
    ["scalars", `[${"1,".repeat(1_000_000)}1]`, "json_values_max"],
    ["members", `{${'"a":1,'.repeat(1_000_000)}"a":1}`, "json_keys_max"],
    ["lists of what is no JSON at its end", `${"[[],".repeat(1_000_000)}no`, "json_depth_max"],
    ["keys without values", `{${'"a":'.repeat(1_000_000)}`, "json_keys_max"],
    ["strings without commas", '""'.repeat(1_000_000), "json_values_max"],
  ])("%s are refused for their count, whatever follows", (_, text, limit) => {
    const limits = { json_depth_max: 64, json_values_max: 10_000, json_keys_max: 1000 }
    const error = thrownBy(() => parseJson(Buffer.from(text), limits))
    assert.instanceOf(error, JsonExcess)
    assert.include(error.message, limit)
  })

  it("structure inside of strings does not count, and long strings are a few values", () => {
    const long = `${"[{,:".repeat(100_000)}${'\\"'.repeat(100_000)}${"\\\\".repeat(100_000)}`
    const text = `{"images":["${long}","${long}"]}`
    const limits = { json_depth_max: 2, json_values_max: 4, json_keys_max: 1, json_nodes_max: 2 }
    assert.deepStrictEqual(parse(text, limits), JSON.parse(text))
  })

  it("a byte order mark is skipped once; what is not UTF-8 or not JSON throws", () => {
    assert.deepStrictEqual(parse("\uFEFF[1]"), [1])
    for (const text of ["", "\uFEFF\uFEFF[1]", "[1", '"', '"\\', "[1]]", "{", '{"a"}', "nul"]) {
      assert.instanceOf(
        thrownBy(() => parse(text)),
        SyntaxError,
        text,
      )
    }
    assert.instanceOf(
      thrownBy(() => parseJson(Buffer.from([0x22, 0xff, 0x22]), boundless)),
      TypeError,
    )
  })
})

const thrownBy = (work: () => unknown): Error => {
  try {
    work()
  } catch (error) {
    return error as Error
  }
  throw new Error("nothing was thrown")
}
