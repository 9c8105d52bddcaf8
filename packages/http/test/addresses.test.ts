import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { errorOf, Harness, layerWith } from "./harness.ts"

type Forwarded = string | ReadonlyArray<string>

/** Who the server takes the request for, by what it refuses; and whether it may read the metrics as loopback. */
const seen = Effect.fnUntraced(function* (headers: { readonly [name: string]: Forwarded }) {
  const { call, newKey } = yield* Harness
  const { key } = yield* newKey({ ipAllowlist: ["192.0.2.254"] })
  const refused = yield* call({ path: "/v1/models", key, headers: headers as { [name: string]: string } })
  const metrics = yield* call({ path: "/metrics", headers: headers as { [name: string]: string } })
  const { code, message } = errorOf(refused).error
  assert.deepStrictEqual([refused.status, code], [403, "ip_not_allowed"])
  return [/used from (.*)\.$/.exec(message)?.[1], metrics.status]
})

const unknownAddress = ["this address", 403]

layer(layerWith({ trustedProxies: ["127.0.0.1", "198.51.100.0/24"] }), { excludeTestServices: true })(
  "document-tools 5.6 and contract, Running it: behind a proxy that is trusted",
  (it) => {
    const rows: ReadonlyArray<readonly [Forwarded, ReadonlyArray<string | number>]> = [
      ["203.0.113.9", ["203.0.113.9", 403]],
      ["203.0.113.9:4711", ["203.0.113.9", 403]],
      ["::ffff:203.0.113.9", ["203.0.113.9", 403]],
      ["::ffff:cb00:7109", ["203.0.113.9", 403]],
      ["2001:DB8:0:0::5", ["2001:db8::5", 403]],
      ["[2001:db8::5]", ["2001:db8::5", 403]],
      ["[2001:db8::5]:4711", ["2001:db8::5", 403]],
      ["fe80::5%eth0", ["fe80::5", 403]],
      // A client behind the proxy of this machine that is this machine itself.
      ["127.0.0.1", ["127.0.0.1", 200]],
      ["::1", ["::1", 200]],
      // What a client sends ahead of the proxy's entry is never looked at.
      ["127.0.0.1, 203.0.113.9", ["203.0.113.9", 403]],
      ["unknown, 203.0.113.9", ["203.0.113.9", 403]],
      [
        ["127.0.0.1", "203.0.113.9"],
        ["203.0.113.9", 403],
      ],
      // Through two trusted proxies.
      ["203.0.113.9, 198.51.100.7", ["203.0.113.9", 403]],
      ["10.0.0.1, 203.0.113.9, 198.51.100.7", ["203.0.113.9", 403]],
      // The loopback of another machine is not ours.
      ["127.0.0.1, 198.51.100.7", unknownAddress],
      ["::ffff:127.0.0.1, 198.51.100.7", unknownAddress],
      // No address at all.
      ["", unknownAddress],
      [" ", unknownAddress],
      [",", unknownAddress],
      ["203.0.113.9,", unknownAddress],
      ["unknown", unknownAddress],
      ["_hidden", unknownAddress],
      ["localhost", unknownAddress],
      ["127.1", unknownAddress],
      ["0x7f000001", unknownAddress],
      ["::1%lo", unknownAddress],
      ["127.0.0.1:99999", unknownAddress],
      ["203.0.113.9, 127.0.0.1x", unknownAddress],
      [["203.0.113.9", ""], unknownAddress],
    ]
    for (const [forwarded, expected] of rows) {
      it.effect(`X-Forwarded-For: ${JSON.stringify(forwarded)} is ${expected.join(", metrics ")}`, () =>
        Effect.gen(function* () {
          assert.deepStrictEqual(yield* seen({ "x-forwarded-for": forwarded }), [...expected])
        }),
      )
    }

    it.effect("without the header the proxy itself asks, unless another header shows that it passes on", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* seen({}), ["127.0.0.1", 200])
        for (const name of ["forwarded", "via", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"]) {
          assert.deepStrictEqual(yield* seen({ [name]: "127.0.0.1" }), unknownAddress, name)
        }
      }),
    )
  },
)

layer(layerWith({ trustedProxies: ["198.51.100.7"] }), { excludeTestServices: true })(
  "a machine that is no trusted proxy",
  (it) => {
    it.effect("may say what it likes: its own address counts", () =>
      Effect.gen(function* () {
        for (const forwarded of ["192.0.2.254", "203.0.113.9", "", "unknown"]) {
          assert.deepStrictEqual(yield* seen({ "x-forwarded-for": forwarded }), ["127.0.0.1", 200])
        }
        assert.deepStrictEqual(yield* seen({ forwarded: "for=192.0.2.254" }), ["127.0.0.1", 200])
      }),
    )
  },
)
