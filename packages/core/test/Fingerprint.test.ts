import { canonicalJson, fingerprint, type Json, jsonExcess } from "@atelier/core"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"

const json = fc.jsonValue() as fc.Arbitrary<Json>

/** The same value with the members of every object in another order. */
const reordered = (value: Json): Json => {
  if (value === null || typeof value !== "object") return value
  if (Array.isArray(value)) return value.map(reordered)
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, reordered(member)]),
  )
}

describe("contract, Images: the fingerprint of a request", () => {
  it("ignores key order and white space", () => {
    fc.assert(
      fc.property(json, fc.integer({ min: 0, max: 4 }), (value, indent) => {
        const retyped = JSON.parse(JSON.stringify(reordered(value), null, indent)) as Json
        assert.strictEqual(fingerprint(retyped), fingerprint(JSON.parse(JSON.stringify(value)) as Json))
      }),
    )
  })

  it("ignores nothing else: equal canonical forms are equal values", () => {
    fc.assert(
      fc.property(json, (value) => {
        const sent = JSON.parse(JSON.stringify(value)) as Json
        assert.deepStrictEqual(JSON.parse(canonicalJson(sent)), sent)
      }),
    )
  })

  it("is written as RFC 8785 says", () => {
    // The examples of RFC 8785, sections 3.2.2 and 3.2.3.
    const literals = JSON.parse(
      '{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}',
    ) as Json
    assert.strictEqual(
      canonicalJson(literals),
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    )
    const keys = JSON.parse(
      '{"\\u20ac":"Euro Sign","\\r":"Carriage Return","\\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One","\\ud83d\\ude00":"Emoji: Grinning Face","\\u0080":"Control","\\u00f6":"Latin Small Letter O With Diaeresis"}',
    ) as { readonly [key: string]: Json }
    assert.deepStrictEqual(
      [...canonicalJson(keys).matchAll(/:"([^"]+)"/g)].map(([, name]) => name),
      [
        "Carriage Return",
        "One",
        "Control",
        "Latin Small Letter O With Diaeresis",
        "Euro Sign",
        "Emoji: Grinning Face",
        "Hebrew Letter Dalet With Dagesh",
      ],
    )
  })
})

describe("what did not come as bytes is bounded before anything walks it", () => {
  const limits = { json_depth_max: 3, json_values_max: 6, json_keys_max: 2 }

  it.each([
    ["levels", [[[1]]], [[[[1]]]], "json_depth_max is 3"],
    ["values", [1, 2, [3, 4]], [1, 2, [3, 4, 5]], "json_values_max is 6"],
    ["members", { a: { b: 1 } }, { a: { b: 1 }, c: 1 }, "json_keys_max is 2"],
  ] as const)("%s at the limit, and one more", (_, within, beyond, limit) => {
    assert.isUndefined(jsonExcess(within, limits))
    assert.include(jsonExcess(beyond, limits) ?? "", limit)
  })

  it("levels without end are looked at no deeper than the limit", () => {
    const endless: Array<Json> = []
    endless.push(endless)
    assert.include(jsonExcess(endless, limits) ?? "", "json_depth_max is 3")
  })
})
