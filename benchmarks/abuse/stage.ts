import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { filesBelow } from "../../scripts/workspace.ts"
import { readBooks, transferFaults } from "../../test/support/books.ts"
import { connectionsTo, peakBytesOf, residentBytesOf, treeOf } from "../../test/support/processes.ts"
import {
  adminToken,
  call,
  type Installation,
  install,
  type Server,
  serve,
  textAt,
} from "../../test/support/server.ts"
import type { Attack } from "./attack.ts"
import type { Plan } from "./bystander.ts"
import { pause } from "./requests.ts"
import type { Outcomes } from "./sent.ts"
import type { Target } from "./target.ts"

/** Users of the bystander who upload in turn. */
const uploadersCount = 4
/** As often as anyone likes: the attack is not the rate. */
const unlimited = { rate_per_minute: 1_000_000 }
const sampleMs = 50
/** Connections that were closed are gone by then, and so is what a request left on the disk. */
const settleMsMax = 10_000

/** A server of its own with its customers, in a fresh directory. */
export class Stage {
  readonly url: string
  childrenBytes = 0
  readonly #installation: Installation
  readonly #server: Server
  readonly #sampler: NodeJS.Timeout

  private constructor(installation: Installation, server: Server) {
    this.url = server.url
    this.#installation = installation
    this.#server = server
    process.once("exit", this.#kill)
    this.#sampler = setInterval(() => {
      const children = treeOf(this.#pid).slice(1).map(residentBytesOf)
      this.childrenBytes = Math.max(
        this.childrenBytes,
        children.reduce((sum, bytes) => sum + bytes, 0),
      )
    }, sampleMs)
  }

  /** With the production's defaults, but for the vendor of images, which needs no network. */
  static async open({
    config = {},
    environment = {},
  }: Pick<Attack, "config" | "environment">): Promise<Stage> {
    const home = await install({
      channels: [{ id: "vendor", adapter: "faulty", models: { "*": "*" } }],
      ...config,
    })
    const temporary = join(home.directory, "tmp")
    mkdirSync(temporary)
    const installation = { ...home, environment: { ...home.environment, TMPDIR: temporary, ...environment } }
    return new Stage(installation, await serve(installation))
  }

  /** No server outlives a run that breaks off. */
  readonly #kill = (): void => void this.#server.process.kill("SIGKILL")

  get #pid(): number {
    return this.#server.process.pid ?? 0
  }

  /** The most that the server itself ever held. */
  serverBytes(): number {
    return peakBytesOf(this.#pid)
  }

  async #account(usd: number, settings: object): Promise<{ readonly user: string; readonly key: string }> {
    const user = textAt((await this.#admin("users", { name: "customer", balance_usd: usd })).body, "id")
    return { user, key: textAt((await this.#admin(`users/${user}/keys`, settings)).body, "key") }
  }

  #admin(path: string, json: object) {
    return call(`${this.url}/admin/v1/${path}`, { key: adminToken, json })
  }

  async target(seconds: number, share: number): Promise<Target> {
    const poor = await this.#account(0, {})
    return {
      url: this.url,
      adminToken,
      poor: poor.key,
      rich: await this.#account(100_000, unlimited),
      other: await this.#account(100, unlimited),
      seconds,
      share,
    }
  }

  async plan(): Promise<Plan> {
    const { key } = await this.#account(100_000, unlimited)
    const others = Array.from({ length: uploadersCount }, () => this.#account(1, unlimited))
    const json = { model: "gen-image-2", prompt: "a boat [partial 0]", size: "256x256" }
    // Made when they are first asked for, which is no attack.
    for (const path of ["/docs", "/openapi.json"]) await (await fetch(`${this.url}${path}`)).arrayBuffer()
    const { body } = await call(`${this.url}/v1/images/tasks`, { key, json })
    return {
      url: this.url,
      key,
      uploaders: (await Promise.all(others)).map((each) => each.key),
      task: textAt(body, "task_id"),
    }
  }

  /** Files that only a request or a parsing process needs. */
  #temporaryFiles(): ReadonlyArray<string> {
    const { directory } = this.#installation
    return [...filesBelow(join(directory, "tmp")), ...filesBelow(join(directory, "data", "blobs", "uploads"))]
  }

  /**
   * What is wrong when the attack is over: connections and files that stay, a server that does not answer or does
   * not stop, money that is not where it belongs.
   */
  async aftermath(): Promise<ReadonlyArray<string>> {
    const faults: Array<string> = []
    const port = Number(new URL(this.url).port)
    const until = performance.now() + settleMsMax
    const left = () => this.#temporaryFiles().length
    while (performance.now() < until && (connectionsTo(port) > ownConnectionsMax || left() > 0))
      await pause(50)
    const open = connectionsTo(port)
    if (open > ownConnectionsMax) faults.push(`${open} connections stayed open`)
    if (left() > 0) faults.push(`${left()} temporary files stayed`)
    const health = await call(`${this.url}/healthz`, { patience: 5_000 }).catch(() => undefined)
    if (health?.status !== 200) faults.push("/healthz did not answer in 5 s")
    const ready = await call(`${this.url}/readyz`, { patience: 5_000 }).catch(() => undefined)
    if (ready?.status !== 200) faults.push("/readyz did not answer 200 in 5 s")
    return faults
  }

  /** Stops the server and reads its books. */
  async close(): Promise<ReadonlyArray<string>> {
    clearInterval(this.#sampler)
    const code = await this.#server.end("SIGTERM")
    process.off("exit", this.#kill)
    const faults = code === 0 ? [] : [`the server ended with ${code}: ${this.#server.output().slice(-500)}`]
    const books = await readBooks(this.#installation)
    if (books.wrong.length > 0) faults.push(`the ledger disagrees with ${books.wrong.join(", ")}`)
    const held = books.transfers.filter(({ kind }) => kind === "hold").map(({ taskId }) => taskId)
    const closed = new Set(
      books.transfers.filter(({ phase }) => phase === "close").map(({ taskId }) => taskId),
    )
    const unclosed = held.filter((task) => !closed.has(task)).length
    if (unclosed !== books.unfinished) {
      faults.push(`${unclosed} fees are held, and ${books.unfinished} tasks are unfinished`)
    }
    const finished = books.transfers.filter(({ taskId }) => closed.has(taskId))
    faults.push(...transferFaults(finished).slice(0, 5))
    this.#installation.remove()
    return faults
  }
}

/** Of this process's own client. */
const ownConnectionsMax = 32

/** What is wrong with what an attacker was answered. */
export const outcomeFaults = ({ allowed }: Attack, outcomes: Outcomes): ReadonlyArray<string> => [
  ...outcomes.faults,
  ...Object.entries(outcomes.counts)
    .filter(([outcome]) => !allowed.test(outcome))
    .map(([outcome, count]) => `${count} times ${outcome}`),
  ...(outcomes.tried === 0 ? ["nothing was sent"] : []),
]
