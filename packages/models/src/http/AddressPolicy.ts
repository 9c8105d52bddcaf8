import { BlockList, isIP, isIPv6 } from "node:net"

/**
 * IPv4 ranges that are not globally reachable: the IANA IPv4 Special-Purpose Address Registry (RFC 6890),
 * multicast (RFC 5771), and one address that looks public and is not.
 */
const special4: ReadonlyArray<readonly [network: string, prefix: number]> = [
  ["0.0.0.0", 8], // this network
  ["10.0.0.0", 8], // private use
  ["100.64.0.0", 10], // shared address space of carriers; 100.100.100.200 is a cloud's metadata
  ["127.0.0.0", 8], // loopback
  ["168.63.129.16", 32], // a cloud's host agent, reachable only from its machines
  ["169.254.0.0", 16], // link-local, with the metadata address 169.254.169.254
  ["172.16.0.0", 12], // private use
  ["192.0.0.0", 24], // IETF protocol assignments; 192.0.0.192 is a cloud's metadata
  ["192.0.2.0", 24], // documentation
  ["192.88.99.0", 24], // 6to4 relay anycast, withdrawn by RFC 7526
  ["192.168.0.0", 16], // private use
  ["198.18.0.0", 15], // benchmarking
  ["198.51.100.0", 24], // documentation
  ["203.0.113.0", 24], // documentation
  ["224.0.0.0", 4], // multicast
  ["240.0.0.0", 4], // reserved, with the broadcast address
]

/** The only IPv6 space that IANA gives out for global unicast, and the public NAT64 prefix (RFC 6052). */
const global6: ReadonlyArray<readonly [network: string, prefix: number]> = [
  ["2000::", 3],
  ["64:ff9b::", 96],
]

/**
 * Ranges inside `global6` that are not globally reachable: the IANA IPv6 Special-Purpose Address Registry.
 * `2001::/23` is refused whole, with Teredo and the few anycast services in it: no web server lives there.
 */
const special6: ReadonlyArray<readonly [network: string, prefix: number]> = [
  ["2001::", 23], // IETF protocol assignments: Teredo, benchmarking, ORCHID
  ["2001:db8::", 32], // documentation
  ["2002::", 16], // 6to4, which embeds an IPv4 address; withdrawn by RFC 7526
  ["3fff::", 20], // documentation
  // NAT64 reaches the IPv4 address in the last 32 bits.
  ...special4.map(([network, prefix]) => [`64:ff9b::${network}`, 96 + prefix] as const),
]

const listOf = (
  ranges: ReadonlyArray<readonly [network: string, prefix: number]>,
  family: "ipv4" | "ipv6",
): BlockList => {
  const list = new BlockList()
  for (const [network, prefix] of ranges) list.addSubnet(network, prefix, family)
  return list
}

const refused4 = listOf(special4, "ipv4")
const allowed6 = listOf(global6, "ipv6")
const refused6 = listOf(special6, "ipv6")

/**
 * True for an address that any machine on the internet can reach. `address` is canonical text, as DNS answers
 * and parsed URLs give it; anything else, a zone included, is not public. IPv4-mapped and IPv4-compatible
 * addresses are not: they lie outside the global unicast space.
 */
export const isPublicAddress = (address: string): boolean => {
  if (address.includes("%")) return false
  switch (isIP(address)) {
    case 4:
      return !refused4.check(address, "ipv4")
    case 6:
      return allowed6.check(address, "ipv6") && !refused6.check(address, "ipv6")
    default:
      return false
  }
}

/** Which addresses this installation's outgoing requests may go to. */
export interface AddressPolicy {
  /** True for a public address, and for one in a range that the operator permits. */
  readonly permits: (address: string) => boolean
  /** The operator permits some private range: then names of a private network may be used too. */
  readonly allowsPrivate: boolean
}

/**
 * `allowPrivate` is `network.allow_private` of the configuration: addresses and CIDR ranges which count as
 * public for every request, those to users' addresses included; so keep it to single hosts where you can.
 * Throws `TypeError` for an entry that is neither.
 */
export const makeAddressPolicy = (allowPrivate: ReadonlyArray<string>): AddressPolicy => {
  const allowed = new BlockList()
  for (const entry of allowPrivate) permit(allowed, entry)
  return {
    allowsPrivate: allowPrivate.length > 0,
    permits: (address) =>
      isPublicAddress(address) ||
      (isIP(address) !== 0 && allowed.check(address, isIPv6(address) ? "ipv6" : "ipv4")),
  }
}

const permit = (list: BlockList, entry: string): void => {
  const [network = "", prefix = isIPv6(network) ? "128" : "32", ...rest] = entry.split("/")
  if (isIP(network) === 0 || rest.length > 0 || !/^\d{1,3}$/.test(prefix)) {
    throw new TypeError(`not an IP address or CIDR range: ${JSON.stringify(entry)}`)
  }
  list.addSubnet(network, Number(prefix), isIPv6(network) ? "ipv6" : "ipv4")
}
