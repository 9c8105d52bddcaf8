import { isIP } from "node:net"
import * as Result from "effect/Result"
import type { AddressPolicy } from "./AddressPolicy.ts"
import { UpstreamHttpError, type UpstreamHttpReason } from "./UpstreamHttpError.ts"

/**
 * Whose URL it is. `public`: a user's or an upstream's, hostile until proven otherwise. `operator`: from the
 * operator's own configuration; any port, pooled connections, the machine's own names; its address must be
 * public or in `network.allow_private` all the same.
 */
export type UrlPolicy = "public" | "operator"

/** Signed links are long; this is more than servers accept. */
const urlCharsMax = 8192
/** Longest piece of a URL that a message repeats. */
const shownCharsMax = 100
/** Web servers' own ports; the other system ports belong to services that speak something else. */
const publicSystemPorts: ReadonlySet<number> = new Set([80, 443])
/** RFC 6335: system ports end below. */
const userPortsMin = 1024
/** Special-use and private names (RFC 6761, 6762, 8375, and what networks use by habit). */
const privateSuffixes: ReadonlyArray<string> = [
  "localhost",
  "local",
  "localdomain",
  "internal",
  "intranet",
  "private",
  "corp",
  "home",
  "lan",
  "home.arpa",
]

/** Where one request goes: checked, and taken apart once, so that it is not parsed again in another way. */
export interface Target {
  readonly url: URL
  readonly secure: boolean
  /** Lower case, without brackets or a trailing dot: a name in ASCII form, or an IP address. */
  readonly hostname: string
  readonly port: number
}

/**
 * Checks everything about a URL that needs no look-up, so that a submission can refuse a `callback_url` at
 * once. Fails with `InvalidUrl` or `AddressRefused`, `sent` false. Numbers of every base and length are
 * addresses (`http://0x7f.1`), as in browsers.
 */
export const parseTarget = (
  text: string,
  policy: UrlPolicy,
  addresses: AddressPolicy,
): Result.Result<Target, UpstreamHttpError> => {
  const fail = (reason: UpstreamHttpReason, problem: string) =>
    Result.fail(
      new UpstreamHttpError({
        reason,
        phase: "connect",
        sent: false,
        message: `the URL ${problem}`,
      }),
    )
  if (text.length > urlCharsMax) return fail("InvalidUrl", `has more than ${urlCharsMax} characters`)
  // Parsers differ over these; what they make of them is not worth knowing.
  if (/[\p{Cc}\s\\]/u.test(text)) return fail("InvalidUrl", "has a space, control character or backslash")
  const url = URL.parse(text)
  if (url === null) return fail("InvalidUrl", "is not an absolute URL")
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    return fail("InvalidUrl", "is neither an http nor an https URL")
  }
  if (url.username !== "" || url.password !== "") return fail("InvalidUrl", "carries a user name or password")

  const secure = url.protocol === "https:"
  const hostname = url.hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "")
  const port = url.port === "" ? (secure ? 443 : 80) : Number(url.port)
  if (isIP(hostname) !== 0) {
    if (!addresses.permits(hostname)) {
      const hint = policy === "operator" ? "; network.allow_private can permit it" : ""
      return fail("AddressRefused", `is not at a public address${hint}`)
    }
  } else if (!isHostname(hostname)) {
    return fail("InvalidUrl", "has no valid host name")
  } else if (policy === "public" && !addresses.allowsPrivate && isPrivateName(hostname)) {
    return fail("AddressRefused", "names a host of a private network")
  }
  if (policy === "public" && port < userPortsMin && !publicSystemPorts.has(port)) {
    return fail("InvalidUrl", `has port ${port}; 80, 443 and those from ${userPortsMin} are allowed`)
  }
  return Result.succeed({ url, secure, hostname, port })
}

/** Labels of letters, digits, hyphens and underscores, as they occur in DNS; at most 253 characters. */
const isHostname = (name: string): boolean =>
  name.length <= 253 && name.split(".").every((label) => /^[a-z0-9_-]{1,63}$/.test(label))

/** Names without a dot are a network's own too. */
const isPrivateName = (name: string): boolean =>
  !name.includes(".") || privateSuffixes.some((suffix) => name.endsWith(`.${suffix}`))

/** RFC 6761: these names are the loopback addresses, whatever a resolver says. */
export const isLocalhost = (name: string): boolean => name === "localhost" || name.endsWith(".localhost")

/** Whether a URL names this machine by itself, without any look-up. */
export const namesThisMachine = (url: string): boolean => {
  const hostname = URL.parse(url)?.hostname ?? ""
  return isLocalhost(hostname) || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}

/** A URL as a message shows it: short, without credentials, query and fragment, which may hold secrets. */
export const showUrl = (text: string): string => {
  const url = text.length > urlCharsMax ? null : URL.parse(text)
  if (url === null || url.host === "") return "the URL"
  const shown = `${url.protocol}//${url.host}${url.pathname}`
  const short = shown.length <= shownCharsMax ? shown : `${shown.slice(0, shownCharsMax)}…`
  return url.search === "" ? short : `${short}?…`
}
