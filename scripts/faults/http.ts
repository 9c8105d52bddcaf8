import { type Fault, faultsOf } from "./fault.ts"

const tests = ["packages/http/test"]

/** Untrusted requests, the answers to them, and the server's own outgoing requests. */
export const http: ReadonlyArray<Fault> = [
  ...faultsOf("packages/http/src/toApiError.ts", tests, [
    ["429 and 503 do not say when to retry", '? { "retry-after": retryAfterDefault }', "? {}"],
    ["a synchronous failure invites a second paid try", '? { "x-should-retry": "false" }', "? {}"],
    ["401 does not name its scheme", '? { "www-authenticate": "Bearer" }', "? {}"],
  ]),
  ...faultsOf("packages/http/src/Answer.ts", tests, [
    ["answers do not forbid sniffing", '"x-content-type-options": "nosniff",', ""],
    ["caches keep what is private", '"cache-control": "no-store",', ""],
    ["a replay does not say that it is one", 'replayed ? { "idempotency-replayed": "true" } : {}', "{}"],
    ["202 does not say where the task is", "location: `/v1/tasks/${body.task_id}`,", ""],
  ]),
  ...faultsOf("packages/http/src/TaskAnswers.ts", tests, [
    ["a final task is sent again to who holds it", 'holds(headers["if-none-match"], etag)', "false"],
  ]),
  ...faultsOf("packages/http/src/ErrorBoundary.ts", tests, [
    [
      "answers are without their request's id",
      "headers: { ...securityHeaders, [requestIdHeader]: requestId, ...",
      "headers: { ...securityHeaders, ...",
    ],
  ]),
  ...faultsOf("packages/http/src/UnknownRoute.ts", tests, [
    ["405 does not say what is allowed", "      headers: { allow },", "      headers: {},"],
  ]),
  ...faultsOf("packages/http/src/Admission.ts", tests, [
    [
      "requests over the rate are answered",
      "return decision.allowed\n",
      "return decision.allowed || policy.burst > 0\n",
    ],
    [
      "a refused request does not say when to retry",
      '{ headers: { "retry-after": String(decision.retryAfterSeconds) } },',
      "{},",
    ],
  ]),
  ...faultsOf("packages/http/src/Range.ts", tests, [
    ["a range beyond the end is answered", "return start >= size", "return start > size"],
    ["a range ends behind the file", "Math.min(Number(last), size - 1)", "Number(last)"],
    ["the last bytes begin one too late", "Math.max(0, size - suffix)", "Math.max(0, size - suffix + 1)"],
  ]),
  ...faultsOf(
    "packages/http/src/Upload.ts",
    [...tests, "test/document-tools/upload"],
    [
      [
        "an upload's bytes are not counted as they arrive",
        "if (bytes > tool.maxFileBytes) return Effect.fail(fileTooLarge(tool, bytes))",
        "",
      ],
      [
        "a form with two files is taken",
        'if (upload !== undefined) return Effect.fail(notOneFile("more than one"))',
        "",
      ],
      [
        "a form without a file is taken",
        'return upload ?? (yield* notOneFile("none"))',
        'return upload ?? { path, filename: "", bytes: 0, sha256: "" }',
      ],
    ],
  ),
  ...faultsOf("packages/http/src/IdempotencyHeaders.ts", tests, [
    ["two keys in one request are taken", "return values.size <= 1", "return values.size <= 2"],
  ]),
  ...faultsOf("packages/http/src/EventStream.ts", tests, [
    ["a reader is told again what it has seen", "Stream.filter((task) => task.version > seen),", ""],
    [
      "a reader who has seen the final state is kept waiting",
      "isFinal(now.state) && now.version <= seen",
      "isFinal(now.state) && now.version < seen",
    ],
  ]),
  ...faultsOf("packages/http/src/ClientAddress.ts", tests, [
    [
      "metrics are for everyone",
      'address !== null && (address === "::1" || address.startsWith("127."))',
      "address !== undefined",
    ],
    [
      "IPv4 in IPv6 is another address",
      "return NetAddress.toCanonical(address.success)",
      "return address.success",
    ],
    [
      "the loopback of another machine is taken for ours",
      "(isOwn(next) && !isOwn(address))",
      "(isOwn(next) && address === undefined)",
    ],
    [
      "a proxy that forwards no address counts as the client",
      "if (told === undefined && !traces.some((name) => headers[name] !== undefined)) return request",
      "if (told === undefined) return request",
    ],
    [
      "an address that a proxy does not know is skipped",
      "if (next === undefined || (isOwn(next) && !isOwn(address))) return undefined",
      "if (next === undefined) continue",
    ],
    ["the first of the forwarded addresses is believed", "if (!isProxy(address)) return address", ""],
  ]),
  ...faultsOf(
    "packages/models/src/http/AddressPolicy.ts",
    ["packages/models/test/http"],
    [
      ["the metadata address is public", '["169.254.0.0", 16], // link', '["169.254.0.0", 32], // link'],
      ["loopback is public", '["127.0.0.0", 8], // loopback', '["127.0.0.1", 32], // loopback'],
      ["addresses of carriers are public", '["100.64.0.0", 10]', '["100.64.0.0", 24]'],
      [
        "private IPv4 behind NAT64 is public",
        "...special4.map(([network, prefix]) => [`64:ff9b::${network}`, 96 + prefix] as const),",
        "",
      ],
      ["an address with a zone is public", 'if (address.includes("%")) return false', ""],
    ],
  ),
  ...faultsOf(
    "packages/models/src/http/UrlPolicy.ts",
    ["packages/models/test/http"],
    [
      [
        "an address in a URL is not checked",
        "if (!addresses.permits(hostname)) {",
        "if (false as boolean) {",
      ],
      [
        "a URL may carry a password",
        'if (url.username !== "" || url.password !== "") return fail',
        'if (url.username !== "" && url.password === "\\0") return fail',
      ],
      [
        "any scheme is asked",
        'if (url.protocol !== "http:" && url.protocol !== "https:") {',
        'if (url.protocol === "file:") {',
      ],
      [
        "any port is asked",
        "port < userPortsMin && !publicSystemPorts.has(port)",
        "port < 0 && !publicSystemPorts.has(port)",
      ],
    ],
  ),
  ...faultsOf(
    "packages/models/src/http/Resolver.ts",
    ["packages/models/test/http"],
    [
      [
        "one public address of a name makes all of them public",
        "if (!found.every(addresses.permits)) throw refused(hostname, policy)",
        "if (!found.some(addresses.permits)) throw refused(hostname, policy)",
      ],
      [
        "what DNS answers is not checked",
        "if (!found.every(addresses.permits)) throw refused(hostname, policy)",
        "",
      ],
    ],
  ),
  ...faultsOf(
    "packages/models/src/http/Redirects.ts",
    ["packages/models/test/http"],
    [
      [
        "a redirect keeps the operator's privilege",
        '{ url: url.href, policy: "public", headers: withoutSecrets(step.headers) }',
        "{ ...step, url: url.href, headers: withoutSecrets(step.headers) }",
      ],
      [
        "a redirect takes the secrets along",
        "headers: withoutSecrets(step.headers) }",
        "headers: step.headers }",
      ],
      [
        "a redirect leads from https to http",
        'target.secure && url.protocol === "http:" && request.allowDowngrade !== true',
        "false as boolean",
      ],
      [
        "a POST is sent again where a 302 leads",
        "if (!repeatable && (status < 307 || !isReplayable(request.body))) return Result.succeed(undefined)",
        "",
      ],
    ],
  ),
  ...faultsOf(
    "packages/models/src/http/UpstreamHttp.ts",
    ["packages/models/test/http"],
    [["redirects have no end", "if (followed === redirects) {", "if (followed === redirects + 100) {"]],
  ),
  ...faultsOf(
    "packages/models/src/OutgoingCallback.ts",
    ["packages/models/test/OutgoingCallback"],
    [["callbacks go over plain http", "/^https:/i.test(url)", "/^https?:/i.test(url)"]],
  ),
  ...faultsOf(
    "packages/blobs/src/BlobKey.ts",
    ["packages/blobs/test"],
    [["a key leads out of its folder", 'segment !== "." && segment !== ".."', 'segment !== "."']],
  ),
]
