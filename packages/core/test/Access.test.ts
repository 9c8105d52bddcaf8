import { globMatches, ipAllowed, isAddressRange } from "@atelier/core"
import { assert, describe, it } from "@effect/vitest"

describe("document-tools 5.6: the addresses of a key", () => {
  it.each([
    [[], null, true],
    [[], "203.0.113.9", true],
    [["203.0.113.9"], "203.0.113.9", true],
    [["203.0.113.9"], "::ffff:203.0.113.9", true],
    [["203.0.113.9"], "::ffff:cb00:7109", true],
    [["203.0.113.0/24"], "::ffff:203.0.113.9", true],
    [["203.0.113.0/24"], "::ffff:203.0.114.9", false],
    [["::ffff:203.0.113.9"], "203.0.113.9", true],
    [["::ffff:203.0.113.0/120"], "203.0.113.9", true],
    [["::ffff:203.0.113.0/120"], "203.0.114.9", false],
    [["::/0"], "2001:db8::1", true],
    [["203.0.113.9"], "203.0.113.10", false],
    [["203.0.113.0/24"], "203.0.113.77", true],
    [["203.0.113.0/24"], "203.0.114.1", false],
    [["2001:db8::/32"], "2001:db8:1::5", true],
    [["2001:db8::/32"], "203.0.113.9", false],
    [["203.0.113.9"], null, false],
    [["203.0.113.9"], "not an address", false],
  ])("%j permits %j: %j", (allowlist, ip, permitted) => {
    assert.strictEqual(ipAllowed(allowlist, ip), permitted)
  })

  it.each(["10.0.0.1", "10.0.0.0/8", "::1", "2001:db8::/32"])("%s is an address or a range", (entry) =>
    assert.ok(isAddressRange(entry)),
  )
  it.each(["", "10.0.0", "10.0.0.0/33", "::/129", "10.0.0.0/8/8", "example.org", "10.0.0.0/"])(
    "%s is none",
    (entry) => assert.notOk(isAddressRange(entry)),
  )
})

describe("models and globs of a key", () => {
  it.each([
    ["dream-4.5", "dream-4.5", true],
    ["dream-*", "dream-4.5", true],
    ["dream-*", "alt-dream-4.5", false],
    ["dream-4.5", "dream-4x5", false],
    ["*", "anything", true],
  ])("%s covers %s: %j", (pattern, id, covered) => assert.strictEqual(globMatches(pattern, id), covered))
})
