import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { isPublicAddress, makeAddressPolicy } from "../../src/http/AddressPolicy.ts"

/**
 * The IANA IPv4 and IPv6 Special-Purpose Address Registries, row by row, with the first and last address of
 * each range. `reachable` is the registry's "Globally Reachable"; where we refuse what it allows, `why` says so.
 */
const registry: ReadonlyArray<{
  readonly range: string
  readonly ends: readonly [string, string]
  readonly reachable: boolean
  readonly why?: string
}> = [
  { range: "0.0.0.0/8", ends: ["0.0.0.0", "0.255.255.255"], reachable: false },
  { range: "10.0.0.0/8", ends: ["10.0.0.0", "10.255.255.255"], reachable: false },
  { range: "100.64.0.0/10", ends: ["100.64.0.0", "100.127.255.255"], reachable: false },
  { range: "127.0.0.0/8", ends: ["127.0.0.0", "127.255.255.255"], reachable: false },
  { range: "169.254.0.0/16", ends: ["169.254.0.0", "169.254.255.255"], reachable: false },
  { range: "172.16.0.0/12", ends: ["172.16.0.0", "172.31.255.255"], reachable: false },
  { range: "192.0.0.0/24", ends: ["192.0.0.0", "192.0.0.255"], reachable: false },
  { range: "192.0.0.0/29", ends: ["192.0.0.0", "192.0.0.7"], reachable: false },
  { range: "192.0.0.8/32", ends: ["192.0.0.8", "192.0.0.8"], reachable: false },
  { range: "192.0.0.9/32", ends: ["192.0.0.9", "192.0.0.9"], reachable: true, why: "PCP anycast" },
  { range: "192.0.0.10/32", ends: ["192.0.0.10", "192.0.0.10"], reachable: true, why: "TURN anycast" },
  { range: "192.0.0.170/31", ends: ["192.0.0.170", "192.0.0.171"], reachable: false },
  { range: "192.0.2.0/24", ends: ["192.0.2.0", "192.0.2.255"], reachable: false },
  { range: "192.31.196.0/24", ends: ["192.31.196.0", "192.31.196.255"], reachable: true },
  { range: "192.52.193.0/24", ends: ["192.52.193.0", "192.52.193.255"], reachable: true },
  { range: "192.88.99.0/24", ends: ["192.88.99.0", "192.88.99.255"], reachable: false },
  { range: "192.168.0.0/16", ends: ["192.168.0.0", "192.168.255.255"], reachable: false },
  { range: "192.175.48.0/24", ends: ["192.175.48.0", "192.175.48.255"], reachable: true },
  { range: "198.18.0.0/15", ends: ["198.18.0.0", "198.19.255.255"], reachable: false },
  { range: "198.51.100.0/24", ends: ["198.51.100.0", "198.51.100.255"], reachable: false },
  { range: "203.0.113.0/24", ends: ["203.0.113.0", "203.0.113.255"], reachable: false },
  { range: "224.0.0.0/4", ends: ["224.0.0.0", "239.255.255.255"], reachable: false },
  { range: "240.0.0.0/4", ends: ["240.0.0.0", "255.255.255.254"], reachable: false },
  { range: "255.255.255.255/32", ends: ["255.255.255.255", "255.255.255.255"], reachable: false },
  { range: "::/128", ends: ["::", "::"], reachable: false },
  { range: "::1/128", ends: ["::1", "::1"], reachable: false },
  { range: "::/96", ends: ["::8.8.8.8", "::ffff:ffff"], reachable: false },
  { range: "::ffff:0:0/96", ends: ["::ffff:0.0.0.0", "::ffff:255.255.255.255"], reachable: false },
  { range: "::ffff:0:0:0/96", ends: ["::ffff:0:0:0", "::ffff:0:ffff:ffff"], reachable: false },
  { range: "64:ff9b::/96", ends: ["64:ff9b::1.0.0.1", "64:ff9b::223.255.255.255"], reachable: true },
  { range: "64:ff9b:1::/48", ends: ["64:ff9b:1::", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff"], reachable: false },
  { range: "100::/64", ends: ["100::", "100::ffff:ffff:ffff:ffff"], reachable: false },
  { range: "100:0:0:1::/64", ends: ["100:0:0:1::", "100:0:0:1:ffff:ffff:ffff:ffff"], reachable: false },
  { range: "2001::/23", ends: ["2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff"], reachable: false },
  { range: "2001::/32", ends: ["2001::1", "2001:0:ffff:ffff:ffff:ffff:ffff:ffff"], reachable: false },
  { range: "2001:1::1/128", ends: ["2001:1::1", "2001:1::1"], reachable: true, why: "PCP anycast" },
  { range: "2001:1::2/128", ends: ["2001:1::2", "2001:1::2"], reachable: true, why: "TURN anycast" },
  { range: "2001:1::3/128", ends: ["2001:1::3", "2001:1::3"], reachable: true, why: "DNS-SD anycast" },
  { range: "2001:2::/48", ends: ["2001:2::", "2001:2:0:ffff:ffff:ffff:ffff:ffff"], reachable: false },
  { range: "2001:3::/32", ends: ["2001:3::", "2001:3:ffff::"], reachable: true, why: "AMT relays" },
  { range: "2001:4:112::/48", ends: ["2001:4:112::", "2001:4:112:ffff::"], reachable: true, why: "AS112" },
  { range: "2001:10::/28", ends: ["2001:10::", "2001:1f:ffff::"], reachable: false },
  { range: "2001:20::/28", ends: ["2001:20::", "2001:2f:ffff::"], reachable: true, why: "not routed" },
  { range: "2001:30::/28", ends: ["2001:30::", "2001:3f:ffff::"], reachable: true, why: "drone tags" },
  { range: "2001:db8::/32", ends: ["2001:db8::", "2001:db8:ffff:ffff::"], reachable: false },
  { range: "2002::/16", ends: ["2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff"], reachable: false },
  { range: "2620:4f:8000::/48", ends: ["2620:4f:8000::", "2620:4f:8000:ffff::"], reachable: true },
  { range: "3fff::/20", ends: ["3fff::", "3fff:fff:ffff:ffff::"], reachable: false },
  { range: "5f00::/16", ends: ["5f00::", "5f00:ffff::"], reachable: false },
  { range: "fc00::/7", ends: ["fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"], reachable: false },
  { range: "fe80::/10", ends: ["fe80::", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff"], reachable: false },
  { range: "fec0::/10", ends: ["fec0::", "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"], reachable: false },
  { range: "ff00::/8", ends: ["ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"], reachable: false },
]

const metadata = [
  ["169.254.169.254", "most clouds"],
  ["169.254.170.2", "container credentials"],
  ["100.100.100.200", "one in the carriers' range"],
  ["192.0.0.192", "one in the protocol range"],
  ["168.63.129.16", "one in public space"],
  ["fd00:ec2::254", "unique local"],
  ["fd20:ce::254", "unique local"],
  ["::ffff:169.254.169.254", "mapped"],
  ["64:ff9b::a9fe:a9fe", "through NAT64"],
  ["2002:a9fe:a9fe::", "through 6to4"],
] as const

const publicAddresses = [
  ...["1.0.0.0", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255"],
  ...["128.0.0.0", "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "191.255.255.255"],
  ...["192.0.1.0", "192.0.3.0", "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0"],
  ...["203.0.112.255", "203.0.114.0", "223.255.255.255", "168.63.129.15", "168.63.129.17"],
  ...["2000::", "2001:200::", "2001:4860:4860::8888", "2003::", "2606:4700::1111", "3ffe:ffff::"],
  ...["2001:db7:ffff::", "2001:db9::", "3fff:1000::", "64:ff9b::8.8.8.8", "64:ff9b::808:808"],
]

describe("contract, Waiting: never a private, loopback, link-local or metadata address", () => {
  for (const { ends, range, reachable, why } of registry) {
    it(`${range} is ${reachable && why === undefined ? "public" : "refused"}${why ? ` (${why})` : ""}`, () => {
      for (const end of ends) assert.strictEqual(isPublicAddress(end), reachable && why === undefined, end)
    })
  }

  it("refuses every cloud's metadata address", () => {
    for (const [address, what] of metadata) assert.isFalse(isPublicAddress(address), `${address}: ${what}`)
  })

  it("takes the neighbours of the refused ranges for public", () => {
    for (const address of publicAddresses) assert.isTrue(isPublicAddress(address), address)
  })

  it("takes nothing for public that is not an address in canonical text", () => {
    const hostile = ["", "8.8.8", "134744072", "0x08080808", "010.8.8.8", "8.8.8.8 ", "[::1]", "2000::1%eth0"]
    for (const text of [...hostile, "fe80::1%1", "localhost", "8.8.8.8/32", "8.8.8.8:80"]) {
      assert.isFalse(isPublicAddress(text), text)
    }
  })

  it("judges every IPv4 address alike behind NAT64, and never behind other prefixes", () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        assert.strictEqual(isPublicAddress(`64:ff9b::${address}`), isPublicAddress(address))
        for (const prefix of ["::", "::ffff:", "::ffff:0:", "64:ff9b:1::"]) {
          assert.isFalse(isPublicAddress(prefix + address))
        }
      }),
      { numRuns: 2000 },
    )
  })

  it("finds no public IPv6 address outside of global unicast space", () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const first = Number.parseInt(
          new URL(`http://[${address}]`).hostname.slice(1).split(":")[0] || "0",
          16,
        )
        if (first >> 13 !== 1 && first !== 0x64) assert.isFalse(isPublicAddress(address), address)
      }),
      { numRuns: 2000 },
    )
  })
})

describe("contract, Running it: network.allow_private", () => {
  it("permits what it names and nothing beside", () => {
    const policy = makeAddressPolicy(["127.0.0.0/8", "10.1.2.3", "fd00::/8", "::1"])
    for (const address of ["127.0.0.1", "127.255.0.1", "10.1.2.3", "fd12::1", "::1", "8.8.8.8"]) {
      assert.isTrue(policy.permits(address), address)
    }
    for (const address of ["10.1.2.4", "192.168.0.1", "fc00::1", "169.254.169.254", "::2", "nonsense"]) {
      assert.isFalse(policy.permits(address), address)
    }
  })

  it("permits nothing private where it is empty", () => {
    const policy = makeAddressPolicy([])
    assert.isFalse(policy.allowsPrivate)
    assert.isFalse(policy.permits("127.0.0.1"))
    assert.isTrue(policy.permits("8.8.8.8"))
  })

  it("refuses what is no range, naming it", () => {
    for (const entry of ["", "10.0.0.0/", "10.0.0.0/33", "10.0.0/8", "localhost", "::/129", "10.0.0.0/8/8"]) {
      assert.throws(() => makeAddressPolicy([entry]))
    }
  })
})
