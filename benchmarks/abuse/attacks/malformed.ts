import { type Attack, refusals } from "../attack.ts"
import { pause } from "../requests.ts"
import { hold, release } from "../sockets.ts"
import { shareOf, type Target } from "../target.ts"

const request = (line: string, headers: ReadonlyArray<string>, body = ""): string =>
  `${[line, "host: 127.0.0.1", ...headers].join("\r\n")}\r\n\r\n${body}`

const inner = "GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n"

/** Two readers of these would disagree where the request ends: none may be answered as if it were one. */
const smuggled = ({ poor }: Target): ReadonlyArray<string> => {
  const post = "POST /v1/images/tasks HTTP/1.1"
  const chunked = "transfer-encoding: chunked"
  const auth = `authorization: Bearer ${poor}`
  return [
    request(post, [auth, "content-length: 6", chunked], `0\r\n\r\n${inner}`),
    request(post, [auth, chunked, "content-length: 4"], `5c\r\n${inner}0\r\n\r\n`),
    request(post, [auth, "transfer-encoding : chunked", "content-length: 0"], inner),
    request(post, [auth, "transfer-encoding: xchunked"], `0\r\n\r\n${inner}`),
    request(post, [auth, "transfer-encoding: chunked, identity"], `0\r\n\r\n${inner}`),
    request(post, [auth, "transfer-encoding: identity, chunked", "content-length: 3"], `0\r\n\r\n${inner}`),
    request(post, [auth, chunked], `zz\r\n${inner}`),
    request(post, [auth, chunked], `-1\r\n${inner}`),
    request(post, [auth, chunked], `fffffffffffffffff\r\n${inner}`),
    request(post, [auth, chunked], `1;${"a".repeat(20_000)}\r\n`),
    request(post, [auth, "content-length: 5, 6"], `hello${inner}`),
    request(post, [auth, "content-length: +5"], `hello${inner}`),
    request(post, [auth, "content-length: 0x5"], `hello${inner}`),
    `${post}\nhost: a\ncontent-length: 5\n\nhello${inner}`,
    `GET /healthz HTTP/1.1\r\nhost: a\r\n folded: b\r\n\r\n`,
    `GET /healthz HTTP/1.1\r\nhost: a\r\nx\0y: b\r\n\r\n`,
  ]
}

/** Whole requests, each of them wrong in its own way. */
const wrong = ({ poor }: Target): ReadonlyArray<string> => {
  const auth = `authorization: Bearer ${poor}`
  const get = (path: string) => request(`GET ${path} HTTP/1.1`, [auth, "connection: close"])
  return [
    request("GET /v1/models HTTP/1.1", [`x: ${"a".repeat(100_000)}`]),
    request(
      "GET /v1/models HTTP/1.1",
      Array.from({ length: 5_000 }, (_, index) => `x${index}: a`),
    ),
    get(`/v1/tasks?limit=${"1".repeat(10_000)}`),
    get(`/v1/tasks?${"a=b&".repeat(3_000)}`),
    get("/v1/tasks/%"),
    get("/v1/tasks/%zz"),
    get("/v1/tasks/%c0%ae%c0%ae"),
    get("/v1/tasks/%ff%fe"),
    get(`/v1/${"a/".repeat(5_000)}`),
    get("/v1/tasks?limit=%"),
    get("/v1/tasks?idempotency_key=%ff"),
    get("/v1/tasks?after[]=a&after[]=b"),
    get("/v1/tasks?limit=1&limit=2"),
    get("/v1/tasks?__proto__=a"),
    request("TRACE / HTTP/1.1", []),
    request("CONNECT 127.0.0.1:22 HTTP/1.1", []),
    request("GET http://169.254.169.254/ HTTP/1.1", ["connection: close"]),
    "GET / HTTP/9.9\r\n\r\n",
    "GET /\r\n\r\n",
    "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "\r\n".repeat(10_000),
    "\0".repeat(10_000),
  ]
}

const repeatUntil = async (seconds: number, work: () => Promise<void>) => {
  const until = performance.now() + seconds * 1000
  do await work()
  while (performance.now() < until)
}

export const malformed: ReadonlyArray<Attack> = [
  {
    name: "smuggling",
    about: "requests whose end two readers would see at different places",
    allowed: /^(400|408|411|413|431|501) [a-z_]+$|^401 invalid_api_key$|^closed$|^429 \w+$|^404 not_found$/,
    send: async (target, sent) => {
      const held = smuggled(target).map((each) => hold(target, each))
      await pause(1_500)
      for (const each of held) {
        sent.expect(!/"status":"ok"/.test(each.received()), "a request inside of another one was answered")
      }
      release(held, sent)
    },
  },
  {
    name: "malformed-http",
    about: "floods of headers, huge queries, broken encodings, methods and versions, other protocols",
    allowed: new RegExp(`${refusals.source}|^200$|^505 \\w+$`),
    send: async (target, sent) => {
      await repeatUntil(target.share === 1 ? target.seconds - 1 : 0, async () => {
        const held = wrong(target).map((each) => hold(target, each))
        await pause(500)
        release(held, sent)
      })
    },
  },
  {
    name: "pipelining",
    about: "20 connections with 3,000 requests each before any answer is read",
    allowed: /^(200|401 invalid_api_key|429 \w+|503 overloaded|closed|no answer yet)$/,
    send: async (target, sent) => {
      await repeatUntil(target.share === 1 ? target.seconds - 3 : 0, async () => {
        const get = request("GET /v1/models HTTP/1.1", [`authorization: Bearer ${target.poor}`])
        const alive = request("GET /healthz HTTP/1.1", [])
        const held = Array.from({ length: shareOf(target, 20) }, (_, index) =>
          hold(target, (index % 2 === 0 ? get : alive).repeat(shareOf(target, 3_000))),
        )
        await pause(1_500)
        release(held, sent)
      })
    },
  },
]
