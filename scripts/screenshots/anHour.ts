import { readFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { pathToFileURL } from "node:url"
import { openOutside } from "../../test/support/outside.ts"
import {
  adminToken,
  at,
  call,
  formOf,
  install,
  type Server,
  serve,
  textAt,
} from "../../test/support/server.ts"
import { root } from "../workspace.ts"

/** What the pictures show: a server, and ids of what is worth looking at. */
export interface Shown {
  readonly url: string
  readonly key: string
  /** Paths of the console, by what they show. */
  readonly paths: Readonly<Record<string, string>>
}

interface Customer {
  readonly id: string
  readonly key: string
}

const steps = 60
const stepMs = 3_600_000 / steps

const prompts = [
  "a heron at dusk over the harbour",
  "a lighthouse in the first snow",
  "three boats on a silent bay",
  "a street market in the rain",
  "an orchard below the mountains",
]

const documents: ReadonlyArray<
  readonly [name: string, tool: string, content: () => Uint8Array<ArrayBuffer>]
> = [
  ["quarter.pptx", "pptx-md-json", () => fixture("plain.pptx")],
  ["figures.xlsx", "file-md-json", () => fixture("plain.xlsx")],
  ["minutes.md", "text-md-json", () => new TextEncoder().encode("# Minutes\n\n- The pier is mended.\n")],
]
const fixture = (name: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(readFileSync(join(root, "packages/intake/test/fixtures/accepted", name)))

const admin = async (url: string, path: string, json?: unknown): Promise<unknown> =>
  (await call(`${url}/admin/v1${path}`, { key: adminToken, ...(json === undefined ? {} : { json }) })).body

const customer = async (url: string, name: string, usd: number): Promise<Customer> => {
  const id = textAt(await admin(url, "/users", { name, balance_usd: usd }), "id")
  const key = { name: "production", rate_per_minute: 600 }
  return { id, key: textAt(await admin(url, `/users/${id}/keys`, key), "key") }
}

const image = async (url: string, { key }: Customer, prompt: string, more: object = {}): Promise<string> => {
  const json = { model: "gen-image-2", prompt, size: "512x512", quality: "medium", ...more }
  return textAt((await call(`${url}/v1/images/tasks`, { key, json })).body, "task_id")
}

/** A customer sends each document once, and asks for it again. */
const files = new Map<string, Promise<string>>()
const sent = (url: string, key: string, tool: string, name: string, content: Uint8Array<ArrayBuffer>) => {
  const place = `${key} ${name}`
  const file =
    files.get(place) ??
    call(`${url}/v1/tools/${tool}/files`, { key, form: formOf(name, content) }).then(({ body }) =>
      textAt(body, "id"),
    )
  files.set(place, file)
  return file
}

let orders = 0
const document = async (url: string, { key }: Customer, which: number): Promise<string> => {
  const [name, tool, content] = documents[which % documents.length] ?? ["", "", () => new Uint8Array()]
  const file = await sent(url, key, tool, name, content())
  const invoked = await call(`${url}/v1/tools/${tool}/invoke`, {
    key,
    json: { input: { file_id: file } },
    headers: { "idempotency-key": `order-${++orders}-${tool}` },
  })
  return textAt(invoked.body, "id")
}

const finished = async (url: string, key: string, id: string): Promise<void> => {
  const { body } = await call(`${url}/v1/tasks/${id}?wait=30`, { key })
  if (at(body, "finished_at") === null) await finished(url, key, id)
}

/** Tasks of one step, more towards the end of the hour; one in nine fails. */
const work = async (url: string, customers: ReadonlyArray<Customer>, step: number): Promise<void> => {
  const count = 1 + ((step * 7) % 3) + Math.floor(step / 30)
  const tasks = Array.from({ length: count }, async (_, n) => {
    const turn = step * 5 + n
    const by = customers[turn % 4 === 0 ? 1 : turn % 7 === 0 ? 2 : 0]
    if (by === undefined) return
    const slow = `[slow ${80 + ((turn * 137) % 900)}ms]`
    const fault = turn % 18 === 17 ? " [fail]" : turn % 18 === 8 ? " [reject]" : ""
    const prompt = `${prompts[turn % prompts.length]} ${slow}${fault}`
    const id = turn % 3 === 1 ? await document(url, by, turn) : await image(url, by, prompt)
    await finished(url, by.key, id)
  })
  await Promise.all(tasks)
}

/** Runs a server through an hour of work of three customers, with something that waits at its end, for the use. */
export const withAnHour = async (use: (shown: Shown) => Promise<void>): Promise<void> => {
  const outside = await openOutside(() => 0.5)
  const home = await install({
    account_page: true,
    channels: [
      {
        id: "studio",
        adapter: "faulty",
        models: { "*": "*" },
        costs: { "gen-image-*": { factor: 0.6 }, "imagine-*": { factor: 0.7 }, "dream-*": "0.025" },
      },
      {
        id: "spare",
        adapter: "faulty",
        models: { "gen-image-*": "*" },
        priority: 1,
        costs: { "gen-image-2": { factor: 0.9 }, "gen-image-2.5": { factor: 1.1 } },
      },
    ],
    network: outside.network,
    limits: { image_jobs_concurrent_max: 6 },
  })
  const clock = pathToFileURL(join(import.meta.dirname, "jumpingClock.ts")).href
  const hour = { ...outside.environment, NODE_OPTIONS: `--import=${clock}`, JUMP_MS: String(stepMs) }
  const server = await serve({ ...home, environment: { ...home.environment, ...hour } })
  try {
    await use(await made(server, outside.callbackUrl))
  } finally {
    await server.end("SIGTERM")
    outside.close()
    home.remove()
  }
}

const made = async (server: Server, callbackUrl: string): Promise<Shown> => {
  const { url } = server
  const customers = [
    await customer(url, "Harbour Prints", 40),
    await customer(url, "Lighthouse Books", 25),
    await customer(url, "Atlas Weekly", 10),
  ] as const
  const [first, second] = customers
  for (let step = 0; step < steps; step++) {
    await work(url, customers, step)
    server.process.kill("SIGUSR2")
    while (!server.output().includes(`jumped ${step + 1}\n`)) await setTimeout(5)
  }
  const completed = await image(url, first, "a heron at dusk over the harbour", {
    callback_url: callbackUrl,
    n: 2,
  })
  await finished(url, first.key, completed)
  const failed = await image(url, second, "a storm over the pier [fail]")
  await finished(url, second.key, failed)
  const parsed = await document(url, first, 0)
  await finished(url, first.key, parsed)
  await admin(url, "/channels/spare/pause", { reason: "the vendor renews its certificate" })
  await admin(url, `/users/${second.id}/keys`, {
    name: "printer",
    quota_usd: "5",
    ip_allowlist: ["10.0.0.0/8"],
  })
  await admin(url, "/tokens", { name: "Grace", role: "support" })
  for (let n = 0; n < 6; n++) await image(url, first, `${prompts[n % prompts.length]} [slow 10m]`)
  const queued = await image(url, first, "a harbour at noon")
  const paths = {
    overview: "",
    tasks: "/tasks",
    "task completed": `/tasks/${completed}`,
    "task failed": `/tasks/${failed}`,
    "task document": `/tasks/${parsed}`,
    "task queued": `/tasks/${queued}`,
    "no task": "/tasks/imgtask_none",
    "no match": "/tasks?model=nothing",
    customers: "/users",
    customer: `/users/${second.id}`,
    ledger: "/ledger",
    catalog: "/catalog",
    channels: "/channels",
    plugins: "/plugins",
    playground: "/playground",
    audit: "/audit",
    access: "/access",
    settings: "/settings",
  }
  return { url, key: first.key, paths }
}
