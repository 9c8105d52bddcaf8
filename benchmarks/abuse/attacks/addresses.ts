import { once } from "node:events"
import { createServer } from "node:http"
import { createServer as createListener, type Server } from "node:net"
import { hostname } from "node:os"
import type { Attack } from "../attack.ts"
import { agentOf, ask, attackerAddress, pause } from "../requests.ts"
import type { Sent } from "../sent.ts"
import { hold, outcomeOfHeld } from "../sockets.ts"
import type { Target } from "../target.ts"

/** Ways to write an address of this machine, of its network and of a cloud's metadata service. */
const privateHosts: ReadonlyArray<string> = [
  "127.0.0.1",
  "127.1",
  "127.0.1",
  "2130706433",
  "0x7f000001",
  "0x7f.0.0.1",
  "0177.0.0.1",
  "017700000001",
  "127.0.0.1.",
  "%31%32%37.0.0.1",
  "①②⑦.0.0.1",
  "0.0.0.0",
  "0",
  "127.255.255.254",
  "localhost",
  "LOCALHOST",
  "localhost.",
  "a.localhost",
  "localhost.localdomain",
  "ip6-localhost",
  hostname(),
  "[::1]",
  "[::]",
  "[0:0:0:0:0:0:0:1]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[::127.0.0.1]",
  "[64:ff9b::7f00:1]",
  "[2002:7f00:1::]",
  "[fe80::1]",
  "[fc00::1]",
  "[fd00:ec2::254]",
  "10.0.0.1",
  "172.16.0.1",
  "192.168.0.1",
  "100.64.0.1",
  "169.254.169.254",
  "169.254.0.1",
  "192.0.0.1",
  "198.18.0.1",
  "224.0.0.1",
  "255.255.255.255",
  "user@127.0.0.1",
  "example.com@127.0.0.1",
]

/** Counts who connects. */
const canary = async (host: string): Promise<{ readonly server: Server; readonly count: () => number }> => {
  let count = 0
  const server = createListener((socket) => {
    count += 1
    socket.destroy()
  }).listen(0, host)
  await once(server, "listening")
  return { server, count: () => count }
}

const portOf = (server: { address: Server["address"] }): number => {
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("no port")
  return address.port
}

const submitReference = (target: Target, url: string, more: object = {}) =>
  ask(target, {
    path: "/v1/images/tasks",
    key: target.rich.key,
    json: { model: "gen-image-2", prompt: "a boat", size: "1024x1024", ...more, images: [url] },
    patience: 15_000,
  })

const privateAddresses: Attack["send"] = async (target, sent) => {
  const listening = await canary("127.0.0.1")
  const port = portOf(listening.server)
  // The one private address that this server may reach sends everyone on to one that it may not.
  const redirector = createServer((request, response) => {
    const [, code = "302", path = ""] = /^\/(\d+)(.*)$/.exec(request.url ?? "") ?? []
    response.writeHead(Number(code), { location: decodeURIComponent(path.slice(1)) }).end()
  }).listen(0, "127.0.0.2")
  await once(redirector, "listening")
  const direct = privateHosts.map((host) => `http://${host}:${port}/a.png`)
  const schemes = ["file:///etc/passwd", `ftp://127.0.0.1:${port}/a`, `gopher://127.0.0.1:${port}/a`]
  const redirects = [301, 302, 303, 307, 308].flatMap((code) =>
    ["127.0.0.1", "2130706433", "[::ffff:127.0.0.1]", "localhost"].map(
      (host) =>
        `http://127.0.0.2:${portOf(redirector)}/${code}/${encodeURIComponent(`http://${host}:${port}/a.png`)}`,
    ),
  )
  for (const url of [...direct, ...schemes, ...redirects]) {
    const answer = sent.answer(await submitReference(target, url))
    sent.expect(answer.status === 400, `${url} was answered ${answer.status}`)
  }
  for (const host of privateHosts) {
    const callbackUrl = `https://${host}:${port}/hook`
    const json = { model: "imagine-image-2.0", prompt: "a boat [partial 0]", callback_url: callbackUrl }
    // A name that nothing resolves yet may be accepted: it is looked up again when the callback is sent.
    sent.answer(await ask(target, { path: "/v1/images/tasks", key: target.rich.key, json }))
  }
  await pause(1_500)
  sent.expect(listening.count() === 0, `${listening.count()} connections to a private address were made`)
  redirector.closeAllConnections()
  redirector.close()
  listening.server.close()
}

/** What a client can make a proxy pass on: the proxy adds the client's address behind it. */
const forwardedFor: ReadonlyArray<string> = [
  "",
  " ",
  ",",
  "unknown",
  "_hidden",
  "not an address",
  "127.0.0.1:",
  "256.0.0.1",
  "::1]",
  "127.0.0.1, 203.0.113.9",
  "::1, 203.0.113.9",
  "127.0.0.1, , 203.0.113.9",
  '"127.0.0.1", 203.0.113.9',
  "203.0.113.9, not an address",
  "127.0.0.1,,",
  "a".repeat(8_000),
]

const secrets = /SQLite format|root:.*:0:0:|"channels"|BEGIN [A-Z ]*PRIVATE KEY/

const traversals = (): ReadonlyArray<string> => {
  const ups = ["../", "..%2f", "%2e%2e/", "%2e%2e%2f", "..%5c", "..\\", "%252e%252e%252f", "..%c0%af", "..;/"]
  const targets = ["etc/passwd", "atelier.db", "atelier.config.json"]
  const roots = ["/media/", "/v1/tool-files/", "/v1/tasks/", "/v1/models/", "/"]
  return roots
    .flatMap((base) => ups.flatMap((up) => targets.map((file) => `${base}${up.repeat(4)}${file}`)))
    .concat([
      "/media/%00",
      "/media/a%00.png",
      "/media//etc/passwd",
      "//etc/passwd",
      "/media/file:///etc/passwd",
    ])
}

const sendRaw = async (target: Target, sent: Sent, path: string): Promise<void> => {
  const each = hold(
    target,
    `GET ${path} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${target.rich.key}\r\nconnection: close\r\n\r\n`,
  )
  for (let waits = 0; waits < 100 && !each.closed(); waits++) await pause(5)
  sent.count(outcomeOfHeld(each))
  sent.expect(!secrets.test(each.received()), `${path} shows what it must not`)
  each.socket.destroy()
}

export const addresses: ReadonlyArray<Attack> = [
  {
    name: "private-addresses",
    about: "reference images and callbacks at private addresses, in every notation and behind redirects",
    config: { network: { allow_private: ["127.0.0.2/32"] } },
    allowed: /^(202|400 (reference_image_unavailable|invalid_parameter))$/,
    send: privateAddresses,
  },
  {
    name: "forwarded-for",
    about: "forged, empty and invalid `X-Forwarded-For` to /metrics through a trusted proxy",
    config: { network: { trusted_proxies: [`${attackerAddress}/32`] } },
    allowed: /^(403 ip_not_allowed|400 [a-z_]+)$/,
    send: async (target, sent) => {
      const agent = agentOf(1)
      for (const value of forwardedFor) {
        const headers = { "x-forwarded-for": value }
        sent.answer(await ask(target, { path: "/metrics", headers, agent }))
      }
      agent.destroy()
    },
  },
  {
    name: "path-traversal",
    about: "paths out of their folder, in every encoding",
    allowed: /^(40[0134] [a-z_]+|405 method_not_allowed|429 rate_limited)$/,
    send: async (target, sent) => {
      for (const path of traversals()) await sendRaw(target, sent, path)
    },
  },
]
