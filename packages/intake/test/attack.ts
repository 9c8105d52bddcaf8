/** What code does that has taken over a parsing process: it tries everything that it should not reach. */
import { spawnSync } from "node:child_process"
import { createSocket } from "node:dgram"
import { Resolver } from "node:dns/promises"
import {
  appendFileSync,
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  writeFileSync,
} from "node:fs"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { Worker } from "node:worker_threads"

/** Where the prey is; the attacker knows all of it. */
export type Target = {
  readonly pid: number
  /** Stands in the environment of the server, and nowhere else. */
  readonly token: string
  readonly database: string
  readonly uploads: string
  readonly port: number
}

/** What was reached, by name: the rest was closed. */
export const attack = async (target: Target): Promise<ReadonlyArray<string>> => {
  const tries: Readonly<Record<string, () => unknown>> = {
    token: () => requireThat(processes(target).some((pid) => environmentOf(pid).includes(target.token))),
    memory: () => closeSync(openSync(`/proc/${target.pid}/mem`, "r")),
    "database, reading": () => readFileSync(target.database),
    "database, writing": () => appendFileSync(target.database, "x"),
    "uploads, listing": () => readdirSync(target.uploads),
    "uploads, reading": () => readFileSync(join(target.uploads, "other")),
    "temporary files": () => writeFileSync(join(tmpdir(), `attack-${target.pid}-${process.pid}`), ""),
    signals: () => process.kill(target.pid, 0),
    tcp: () => answered(target.port),
    udp: () => sendDatagram(target.port),
    dns: () => asked(target.port),
    programs: () => requireThat(spawnSync(process.execPath, ["--version"]).status === 0),
    threads: () => new Worker("", { eval: true }),
  }
  const reached: Array<string> = []
  for (const [name, attempt] of Object.entries(tries)) {
    try {
      await attempt()
      reached.push(name)
    } catch {
      // Closed.
    }
  }
  return reached
}

const requireThat = (reached: boolean): void => {
  if (!reached) throw new Error("closed")
}

const processes = ({ pid }: Target): ReadonlyArray<string> => {
  const all = readdirSync("/proc").filter((name) => /^\d+$/.test(name))
  return [String(pid), String(process.ppid), ...all]
}

const environmentOf = (pid: string): string => {
  try {
    const file = openSync(`/proc/${pid}/environ`, "r")
    const bytes = Buffer.alloc(65_536)
    const length = readSync(file, bytes)
    closeSync(file)
    return bytes.toString("latin1", 0, length)
  } catch {
    return ""
  }
}

const answered = (port: number) =>
  new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1")
    socket.once("data", resolve)
    socket.once("error", reject)
  })

const sendDatagram = (port: number) =>
  new Promise<void>((resolve, reject) => {
    const socket = createSocket("udp4")
    socket.send("x", port, "127.0.0.1", (error) => {
      socket.close()
      if (error === null) resolve()
      else reject(error)
    })
  })

/** The server that is asked answers nothing of use: that it was reached shows in its refusal. */
const asked = async (port: number): Promise<void> => {
  const resolver = new Resolver({ tries: 1 })
  resolver.setServers([`127.0.0.1:${port}`])
  await resolver.resolve4("example.org").catch((error: unknown) => {
    const code = error instanceof Error && "code" in error ? error.code : ""
    requireThat(code === "EBADRESP" || code === "EFORMERR" || code === "ENODATA" || code === "ESERVFAIL")
  })
}
