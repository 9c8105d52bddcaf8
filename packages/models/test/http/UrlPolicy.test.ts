import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { makeAddressPolicy } from "../../src/http/AddressPolicy.ts"
import { parseTarget, showUrl } from "../../src/http/UrlPolicy.ts"

const none = makeAddressPolicy([])
const loopback = makeAddressPolicy(["127.0.0.0/8"])

const outcome = (url: string, policy: "public" | "operator" = "public", addresses = none): string =>
  Result.match(parseTarget(url, policy, addresses), {
    onSuccess: ({ hostname, port, secure }) => `${secure ? "https" : "http"} ${hostname} ${port}`,
    onFailure: ({ reason, sent }) => (sent ? "sent!" : reason),
  })

const long = `http://example.com/${"a".repeat(8192)}`

/** URL, and what becomes of it: refused with a reason, or scheme, host and port to connect to. */
const hostile: ReadonlyArray<readonly [url: string, outcome: string]> = [
  // IPv4 in every base and length
  ["http://127.0.0.1/", "AddressRefused"],
  ["http://2130706433/", "AddressRefused"],
  ["http://0x7f000001/", "AddressRefused"],
  ["http://017700000001/", "AddressRefused"],
  ["http://0177.0.0.1/", "AddressRefused"],
  ["http://0x7f.0x0.0x0.0x1/", "AddressRefused"],
  ["http://127.1/", "AddressRefused"],
  ["http://127.0.1/", "AddressRefused"],
  ["http://0x7f.1/", "AddressRefused"],
  ["http://0/", "AddressRefused"],
  ["http://127.0.0.1./", "AddressRefused"],
  ["http://127.0.0.1../", "InvalidUrl"],
  ["http://%31%32%37.0.0.1/", "AddressRefused"],
  ["http://１２７．０．０．１/", "AddressRefused"],
  ["http://127。0。0。1/", "AddressRefused"],
  ["http://①②⑦.⓪.⓪.①/", "AddressRefused"],
  ["http://256.0.0.1/", "InvalidUrl"],
  ["http://4294967296/", "InvalidUrl"],
  ["http://127.0.0.0x/", "AddressRefused"],
  ["http://169.254.169.254/latest/meta-data/", "AddressRefused"],
  ["http://0251.0376.0251.0376/", "AddressRefused"],
  ["http://2852039166/", "AddressRefused"],
  ["http://8.8.8.8/", "http 8.8.8.8 80"],
  ["http://134744072/", "http 8.8.8.8 80"],
  // IPv6 in every form
  ["http://[::1]/", "AddressRefused"],
  ["http://[0:0:0:0:0:0:0:1]/", "AddressRefused"],
  ["http://[::]/", "AddressRefused"],
  ["http://[::ffff:127.0.0.1]/", "AddressRefused"],
  ["http://[::ffff:7f00:1]/", "AddressRefused"],
  ["http://[::127.0.0.1]/", "AddressRefused"],
  ["http://[64:ff9b::127.0.0.1]/", "AddressRefused"],
  ["http://[64:ff9b:1::1.1.1.1]/", "AddressRefused"],
  ["http://[2002:7f00:1::]/", "AddressRefused"],
  ["http://[2001:0:7f00:1::]/", "AddressRefused"],
  ["http://[fd00:ec2::254]/", "AddressRefused"],
  ["http://[fe80::1]/", "AddressRefused"],
  ["http://[fe80::1%25eth0]/", "InvalidUrl"],
  ["http://[ff02::1]/", "AddressRefused"],
  ["http://[2606:4700::1111]:8443/", "http 2606:4700::1111 8443"],
  ["http://::1/", "InvalidUrl"],
  // names
  ["http://localhost/", "AddressRefused"],
  ["http://LOCALHOST/", "AddressRefused"],
  ["http://localhost./", "AddressRefused"],
  ["http://localhost../", "InvalidUrl"],
  ["http://foo.localhost/", "AddressRefused"],
  ["http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/", "AddressRefused"],
  ["http://localhost.localdomain/", "AddressRefused"],
  ["http://metadata/", "AddressRefused"],
  ["http://metadata.google.internal/", "AddressRefused"],
  ["http://metadata.google.internal./", "AddressRefused"],
  ["http://printer.local/", "AddressRefused"],
  ["http://router.home.arpa/", "AddressRefused"],
  ["http://example.com./", "http example.com 80"],
  ["http://EXAMPLE.com/", "http example.com 80"],
  ["http://bücher.example/", "http xn--bcher-kva.example 80"],
  ["http://a..example/", "InvalidUrl"],
  ["http://exa$mple.com/", "InvalidUrl"],
  [`http://${"a".repeat(64)}.com/`, "InvalidUrl"],
  ["http://127.0.0.1.nip.example/", "http 127.0.0.1.nip.example 80"],
  // schemes
  ["https://example.com/", "https example.com 443"],
  ["ftp://example.com/", "InvalidUrl"],
  ["file:///etc/passwd", "InvalidUrl"],
  ["gopher://example.com/", "InvalidUrl"],
  ["data:image/png;base64,AAAA", "InvalidUrl"],
  ["javascript:alert(1)", "InvalidUrl"],
  ["unix:/var/run/docker.sock", "InvalidUrl"],
  ["//example.com/", "InvalidUrl"],
  ["/relative", "InvalidUrl"],
  ["", "InvalidUrl"],
  ["http://", "InvalidUrl"],
  // credentials and confusion between parsers
  ["http://user@example.com/", "InvalidUrl"],
  ["http://user:password@example.com/", "InvalidUrl"],
  ["http://example.com@127.0.0.1/", "InvalidUrl"],
  ["http://example.com#@127.0.0.1/", "http example.com 80"],
  ["http://127.0.0.1#@example.com/", "AddressRefused"],
  ["http://127.0.0.1?@example.com/", "AddressRefused"],
  ["http://example.com\\@127.0.0.1/", "InvalidUrl"],
  ["http:\\\\127.0.0.1/", "InvalidUrl"],
  ["http:///127.0.0.1/", "AddressRefused"],
  ["http:127.0.0.1/", "AddressRefused"],
  [" http://example.com/", "InvalidUrl"],
  ["http://exam\tple.com/", "InvalidUrl"],
  ["http://example.com/\r\nx: y", "InvalidUrl"],
  ["http://example.com/\u0000", "InvalidUrl"],
  ["http://example.com/\u0085", "InvalidUrl"],
  [long, "InvalidUrl"],
  // ports
  ["http://example.com:80/", "http example.com 80"],
  ["http://example.com:443/", "http example.com 443"],
  ["https://example.com:8443/", "https example.com 8443"],
  ["http://example.com:1024/", "http example.com 1024"],
  ["http://example.com:22/", "InvalidUrl"],
  ["http://example.com:25/", "InvalidUrl"],
  ["http://example.com:1023/", "InvalidUrl"],
  ["http://example.com:0/", "InvalidUrl"],
  ["http://example.com:65536/", "InvalidUrl"],
]

describe("contract, Waiting and Images: addresses that a URL itself gives away", () => {
  for (const [url, expected] of hostile) {
    it(`${JSON.stringify(url.slice(0, 60))}: ${expected}`, () => assert.strictEqual(outcome(url), expected))
  }

  it("holds the operator's own URLs to the address policy, and lets them have names and ports of their own", () => {
    assert.strictEqual(outcome("http://10.0.0.5:8000/", "operator"), "AddressRefused")
    assert.strictEqual(outcome("http://comfyui:81/v1", "operator"), "http comfyui 81")
    assert.strictEqual(outcome("http://user:key@api.example.com/", "operator"), "InvalidUrl")
    assert.strictEqual(outcome("http://127.0.0.1:81/", "operator", loopback), "http 127.0.0.1 81")
  })

  it("lets private names be looked up where the operator permits a private network", () => {
    assert.strictEqual(outcome("http://localhost:3000/", "public", loopback), "http localhost 3000")
    assert.strictEqual(outcome("http://app:3000/", "public", loopback), "http app 3000")
    assert.strictEqual(outcome("http://10.0.0.1/", "public", loopback), "AddressRefused")
  })
})

describe("contract, Errors: no secret leaves in a message", () => {
  it("shows a URL short, without credentials, query and fragment", () => {
    assert.strictEqual(showUrl("https://u:secret@a.example/p?sig=secret#secret"), "https://a.example/p?…")
    assert.strictEqual(showUrl(`https://a.example/${"p".repeat(300)}`).length, 101)
    assert.strictEqual(showUrl("http://secret@[bad"), "the URL")
    assert.strictEqual(showUrl("data:image/png;base64,secret"), "the URL")
  })
})
