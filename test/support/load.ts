import { type Account, at, call, formOf, type Server, textAt } from "./server.ts"

/** One request of a client, repeated under one idempotency key until it is answered. */
export interface Wish {
  readonly kind: "image" | "tool"
  readonly idempotencyKey: string
  readonly prompt: string
  readonly model: string
  /** Where the task's callback goes; absent: none. */
  readonly callbackUrl?: string
  file?: string
  /** The task, once a 202 named it. */
  task?: string
}

/**
 * What prompts ask of the test vendor: most succeed, some end otherwise, some take a while. Nothing that is
 * repeated later: after many interruptions that may take a minute.
 */
const prompts = [
  "a lighthouse",
  "a boat [slow 0.2s]",
  "a storm [fail]",
  "a wreck [reject]",
  "two gulls [partial 1]",
]

/** How long a client waits for an answer, and how long it pauses when it got none. */
const patience = 5_000
const retryMs = 20

/**
 * Clients that submit images and documents at servers that die and come back. A wish whose answer was lost is
 * repeated with its key, at the next server; some that were answered are repeated too. `faults` lists what must
 * not happen.
 */
export class Load {
  readonly wishes: Array<Wish> = []
  readonly faults: Array<string> = []
  answers = 0
  readonly #account: Account
  readonly #random: () => number
  readonly #unanswered: Array<Wish> = []
  readonly #clients: Array<Promise<void>> = []
  /** The receiver of callbacks, and a model whose vendor is outside of the server and takes no key. */
  readonly #outside: { readonly callbackUrl: string; readonly model: string } | undefined
  #servers: ReadonlyArray<Server>
  #stopped = false

  constructor(options: {
    readonly servers: ReadonlyArray<Server>
    readonly account: Account
    readonly random: () => number
    readonly clients: number
    readonly outside?: { readonly callbackUrl: string; readonly model: string }
  }) {
    this.#outside = options.outside
    this.#servers = options.servers
    this.#account = options.account
    this.#random = options.random
    for (let client = 0; client < options.clients; client++) {
      this.#clients.push(this.#run(client))
    }
  }

  /** The servers that clients reach from now on. */
  set servers(servers: ReadonlyArray<Server>) {
    this.#servers = servers
  }

  /** Clients start no new requests. */
  finish(): void {
    this.#stopped = true
  }

  /** Completes when every request that was started has its answer. */
  async stop(): Promise<void> {
    this.finish()
    await Promise.all(this.#clients)
  }

  async #run(client: number): Promise<void> {
    for (let turn = client; ; turn++) {
      const wish = this.#unanswered.shift() ?? (this.#stopped ? undefined : this.#next())
      if (wish === undefined) return
      const server = this.#servers[turn % this.#servers.length]
      try {
        if (server === undefined) throw new Error("no server")
        await server.ready
        await this.#submit(wish, server.url)
        this.answers += 1
      } catch {
        // No answer: it is unknown whether the task exists, so the request is repeated with the same key.
        this.#unanswered.push(wish)
        await new Promise((resolve) => setTimeout(resolve, retryMs))
      }
    }
  }

  #next(): Wish {
    const known = this.wishes[Math.floor(this.#random() * this.wishes.length * 10)]
    if (known?.task !== undefined) return known
    const kind = this.#random() < 0.6 ? "image" : "tool"
    const idempotencyKey = `wish-${this.wishes.length}-of-the-load`
    const prompt = prompts[Math.floor(this.#random() * prompts.length)] ?? ""
    const wish: Wish = { kind, idempotencyKey, prompt, model: "gen-image-2", ...this.#more(idempotencyKey) }
    this.wishes.push(wish)
    return wish
  }

  /** If there is an outside, a third of the requests goes to its vendor, and a third has its receiver as callback. */
  #more(idempotencyKey: string): Partial<Wish> {
    if (this.#outside === undefined) return {}
    const { callbackUrl, model } = this.#outside
    return {
      ...(this.#random() < 0.33 ? { model, prompt: `a picture of ${idempotencyKey}` } : {}),
      ...(this.#random() < 0.33 ? { callbackUrl } : {}),
    }
  }

  async #submit(wish: Wish, url: string): Promise<void> {
    const { key } = this.#account
    if (wish.kind === "tool" && wish.file === undefined) {
      const form = formOf("note.md", `# ${wish.idempotencyKey}\n`)
      const upload = await call(`${url}/v1/tools/text-md-json/files`, { key, form, patience })
      wish.file = textAt(upload.body, "id")
    }
    const [path, json] =
      wish.kind === "tool"
        ? ["/v1/tools/text-md-json/invoke", { input: { file_id: wish.file } }]
        : ["/v1/images/tasks", imageOf(wish)]
    const headers = { "idempotency-key": wish.idempotencyKey }
    const answer = await call(`${url}${path}`, { key, headers, json, patience })
    if (answer.status >= 500) throw new Error("not answered")
    const task = at(answer.body, "task_id")
    if (answer.status !== 202 || typeof task !== "string") {
      this.faults.push(`${wish.idempotencyKey}: ${answer.status} ${JSON.stringify(answer.body)}`)
    } else if (wish.task !== undefined && wish.task !== task) {
      this.faults.push(`${wish.idempotencyKey} made two tasks: ${wish.task} and ${task}`)
    } else {
      wish.task = task
    }
  }
}

const imageOf = ({ model, prompt, callbackUrl }: Wish) => ({
  model,
  prompt,
  size: "256x256",
  n: 2,
  ...(callbackUrl === undefined ? {} : { callback_url: callbackUrl }),
})
