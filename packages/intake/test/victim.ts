/**
 * A server with a secret in its environment, a database, uploads, and a port. It has its parsing processes
 * attack it, at every level, and prints what they reached: `{ level, by, reached }`, a line each.
 */
import { spawn } from "node:child_process"
import { createSocket } from "node:dgram"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { text } from "node:stream/consumers"
import { ParsingPool, siblingModule } from "@atelier/intake"
import * as Effect from "effect/Effect"
import { CodePaths } from "../src/CodePaths.ts"
import { sandboxCommand, sandboxes, sandboxOff } from "../src/Sandbox.ts"
import type { Target } from "./attack.ts"

const folder = mkdtempSync(join(tmpdir(), "victim-"))
const uploads = join(folder, "uploads")
mkdirSync(uploads)
writeFileSync(join(uploads, "other"), "of another customer")
const database = join(folder, "atelier.db")
writeFileSync(database, "balances", { mode: 0o600 })

const server = createServer((socket) => socket.on("error", () => {}).end("reached")).listen(0, "127.0.0.1")
await once(server, "listening")
const address = server.address()
const port = typeof address === "object" ? (address?.port ?? 0) : 0
const datagrams = createSocket("udp4").bind(port, "127.0.0.1")
await once(datagrams, "listening")
// An answer to a question of DNS that says that it failed: the question, its first flags turned.
datagrams.on("message", (question, { port: from }) => {
  const answer = Buffer.from(question)
  if (answer.length > 12) answer.writeUInt16BE(0x8182, 2)
  datagrams.send(answer, from, "127.0.0.1")
})

const target: Target = { pid: process.pid, token: process.env["VICTIM_TOKEN"] ?? "", database, uploads, port }
const attack = siblingModule("attack", import.meta.url)
const tell = (level: string, by: string, reached: unknown): void =>
  console.log(JSON.stringify({ level, by, reached }))

/** A document that has taken over JavaScript. */
const byDocument = Effect.gen(function* () {
  const pool = yield* ParsingPool
  const claim = { owner: "one", kind: "parse" } as const
  return yield* pool.call({
    ...claim,
    module: attack,
    function: "attack",
    input: target,
    timeoutMillis: 60_000,
  })
})

/** One that has left JavaScript behind: what Node forbids does not bind it. */
const byMachineCode = async (command: ReadonlyArray<string>): Promise<unknown> => {
  const script = `import(${JSON.stringify(attack)}).then((m) => m.attack(${JSON.stringify(target)})).then((r) => process.stdout.write(JSON.stringify(r), () => process.exit(0)))`
  const [file = "", ...args] = [...command, process.execPath, "--input-type=module", "--eval", script]
  const child = spawn(file, args, { cwd: "/", env: {}, stdio: ["ignore", "pipe", "ignore"] })
  const printed = await text(child.stdout)
  return printed === "" ? undefined : JSON.parse(printed)
}

for (const level of [...new Set(sandboxes.map((one) => one.level)), "off"] as const) {
  const reached = await Effect.runPromise(
    Effect.result(Effect.provide(byDocument, ParsingPool.layer({ sandbox: level }))),
  )
  tell(level, "document", reached._tag === "Success" ? reached.success : undefined)
}

const code = new CodePaths()
code.add(attack)
for (const sandbox of [...sandboxes, sandboxOff]) {
  tell(sandbox.level, "machine code", await byMachineCode(sandboxCommand(sandbox, code.list)))
}

server.close()
datagrams.close()
rmSync(folder, { recursive: true })
