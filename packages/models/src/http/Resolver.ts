import { promises as dns } from "node:dns"
import { isIPv6, type LookupFunction } from "node:net"
import type { AddressPolicy } from "./AddressPolicy.ts"
import { UpstreamHttpError } from "./UpstreamHttpError.ts"
import { isLocalhost, type UrlPolicy } from "./UrlPolicy.ts"

/** Every address of a name, in the order in which to try them; rejects where there is none. */
export type Resolve = (
  hostname: string,
  policy: UrlPolicy,
  signal: AbortSignal,
) => Promise<ReadonlyArray<string>>

/** The time-out of one query to one name server, and how often it is tried. */
const dnsTimeoutMs = 1000
const dnsTries = 2

/**
 * The operator's names as the machine knows them (`/etc/hosts` too). Users' names are asked of DNS directly:
 * the machine's own look-up occupies one of four threads which it shares with the file system, so that a few
 * names whose servers never answer would stop everything else.
 */
export const resolveSystem: Resolve = async (hostname, policy, signal) => {
  if (policy === "operator") {
    const found = await dns.lookup(hostname, { all: true, order: "verbatim" })
    return found.map(({ address }) => address)
  }
  const resolver = new dns.Resolver({ timeout: dnsTimeoutMs, tries: dnsTries })
  signal.addEventListener("abort", () => resolver.cancel(), { once: true })
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  return answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []))
}

/**
 * The look-up of one connection. The addresses that it hands to the socket are the very ones it checked, so
 * that a second, different answer can never be asked for; one address that is not permitted refuses them all.
 */
export const checkedLookup =
  (resolve: Resolve, policy: UrlPolicy, addresses: AddressPolicy, signal: AbortSignal): LookupFunction =>
  (hostname, options, callback) => {
    addressesOf(hostname, resolve, policy, addresses, signal).then(
      (found) => {
        const all = found.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
        const [first] = all
        if (options.all === true || first === undefined) callback(null, all)
        else callback(null, first.address, first.family)
      },
      (error: UpstreamHttpError) => callback(error, []),
    )
  }

const addressesOf = async (
  hostname: string,
  resolve: Resolve,
  policy: UrlPolicy,
  addresses: AddressPolicy,
  signal: AbortSignal,
): Promise<ReadonlyArray<string>> => {
  if (isLocalhost(hostname)) {
    const loopback = ["127.0.0.1", "::1"].filter(addresses.permits)
    return loopback.length > 0 ? loopback : Promise.reject(refused(hostname, policy))
  }
  const found = await resolve(hostname, policy, signal).catch(() => [])
  if (found.length === 0) {
    throw new UpstreamHttpError({
      reason: "DnsFailed",
      phase: "connect",
      sent: false,
      message: `${hostname} has no address in DNS`,
    })
  }
  if (!found.every(addresses.permits)) throw refused(hostname, policy)
  return found
}

/** The address itself is left out: it would reveal the internal network. */
const refused = (hostname: string, policy: UrlPolicy) =>
  new UpstreamHttpError({
    reason: "AddressRefused",
    phase: "connect",
    sent: false,
    message: `${hostname} is not at a public address${policy === "operator" ? "; network.allow_private can permit it" : ""}`,
  })
