import { isIPv4, isIPv6 } from "node:net"
import * as Effect from "effect/Effect"
import * as HttpMiddleware from "effect/http/HttpMiddleware"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Layer from "effect/Layer"
import * as IpNetwork from "effect/net/IpNetwork"
import * as NetAddress from "effect/net/NetAddress"
import * as Option from "effect/Option"
import * as Result from "effect/Result"

/**
 * The address that the request came from, in canonical text; IPv4 in IPv6 notation is IPv4. Null: unknown,
 * which matches no list and does not count as loopback.
 */
export const clientAddress = (request: HttpServerRequest.HttpServerRequest): string | null => {
  const told = Option.getOrElse(request.remoteAddress, () => "")
  // What Node takes for IPv4 is canonical.
  if (isIPv4(told)) return told
  const address = parse(told)
  return address === undefined ? null : NetAddress.formatIp(address)
}

/** A client has one IPv4 address, or an IPv6 network of 2^64 addresses. */
export const clientNetwork = (source: string | null): string => {
  const address = source?.split("%")[0] ?? "unknown"
  return isIPv6(address)
    ? IpNetwork.format(IpNetwork.fromAddressUnsafe(NetAddress.ipFromStringUnsafe(address), 64))
    : address
}

export const isLoopback = (address: string | null): boolean =>
  address !== null && (address === "::1" || address.startsWith("127."))

/**
 * Trusts `X-Forwarded-For` of the given proxies; from any other peer it is ignored, and so is
 * `Forwarded` from all. Without a trusted proxy the address of a request is that of its connection. Throws on an
 * entry that is neither an address nor a network.
 */
export const trusting = (proxies: ReadonlyArray<string>) => {
  if (proxies.length === 0) return Layer.empty
  const isProxy = isProxyOf(proxies)
  return HttpRouter.middleware(
    HttpMiddleware.make((app) =>
      Effect.updateService(app, HttpServerRequest.HttpServerRequest, (request) => behind(request, isProxy)),
    ),
    { global: true },
  )
}

/** Whether an address is one of the proxies. Throws as `trusting` does. */
export const isProxyOf = (proxies: ReadonlyArray<string>): ((address: NetAddress.IpAddress) => boolean) => {
  const networks = proxies.map(networkOf)
  return (address) => networks.some((network) => IpNetwork.contains(network, address))
}

const networkOf = (entry: string): IpNetwork.IpNetwork =>
  IpNetwork.fromStringUnsafe(entry.includes("/") ? entry : `${entry}/${entry.includes(":") ? 128 : 32}`)

/** Headers that show that a request without `X-Forwarded-For` was forwarded by a proxy. */
const traces = ["forwarded", "via", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"]

const behind = (
  request: HttpServerRequest.HttpServerRequest,
  isProxy: (address: NetAddress.IpAddress) => boolean,
): HttpServerRequest.HttpServerRequest => {
  const { headers, peerAddress } = request
  const peer = parse(Option.getOrElse(peerAddress, () => ""))
  if (peer === undefined || !isProxy(peer)) return request
  const told = headers["x-forwarded-for"]
  if (told === undefined && !traces.some((name) => headers[name] !== undefined)) return request
  const client = farthest(peer, (told ?? "").split(","), isProxy)
  return request.modify({
    remoteAddress: Option.map(Option.fromUndefinedOr(client), NetAddress.formatIp),
    peerAddress,
  })
}

/**
 * The first of the forwarded addresses, from the right, that is not a proxy; the leftmost if all are. Undefined as
 * soon as one is implausible: not an address, or a loopback address reported by another machine, which is not ours.
 */
const farthest = (
  peer: NetAddress.IpAddress,
  told: ReadonlyArray<string>,
  isProxy: (address: NetAddress.IpAddress) => boolean,
): NetAddress.IpAddress | undefined => {
  let address = peer
  for (const text of told.toReversed()) {
    const next = parse(text.trim())
    if (next === undefined || (isOwn(next) && !isOwn(address))) return undefined
    address = next
    if (!isProxy(address)) return address
  }
  return address
}

const isOwn = (address: NetAddress.IpAddress): boolean => isLoopback(NetAddress.formatIp(address))

/** `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `[2001:db8::1]`, `[2001:db8::1]:80`, `fe80::1%eth0`. */
const parse = (text: string): NetAddress.IpAddress | undefined => {
  const bare = text.replace(/^\[(.*)\]$/, "$1").replace(/^(fe[89ab][0-9a-f]:[0-9a-f:]*)%[\w.-]+$/i, "$1")
  const address = NetAddress.ipFromString(bare)
  if (Result.isSuccess(address)) return NetAddress.toCanonical(address.success)
  const withPort = NetAddress.inetAddressFromString(text)
  return Result.isSuccess(withPort) ? NetAddress.toCanonical(withPort.success.address) : undefined
}
