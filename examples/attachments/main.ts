import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { Attachments, type View } from "./attachments.ts"
import { presentation } from "./presentation.ts"
import { DocumentService } from "./service.ts"
import { makeSite } from "./site.ts"
import { startService } from "./startService.ts"
import { Store } from "./store.ts"

/**
 * Shows the site at work: it is restarted halfway, answers of the service are lost, and every document is
 * paid once. `node main.ts --serve` keeps the site running, for your browser.
 */
const directory = await mkdtemp(join(tmpdir(), "atelier-attachments-"))
const service = await startService(directory)

interface RunningSite {
  readonly url: string
  /** Ends the site as a crash would: nothing is finished, no further request is made. */
  readonly stop: () => Promise<void>
}

const startSite = async (send: typeof fetch = fetch, port = 0): Promise<RunningSite> => {
  const { url, key } = service
  const ending = new AbortController()
  const store = new Store(join(directory, "site.db"))
  const documents = new DocumentService({ url, key, fetch: send, signal: ending.signal })
  const attachments = new Attachments(store, documents)
  const server = makeSite(attachments, documents).listen(port, "127.0.0.1")
  await once(server, "listening")
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      ending.abort()
      await attachments.settled()
      server.closeAllConnections()
      server.close()
      store.close()
    },
  }
}

/** Everything that the browser received, to search for what it must not see. */
let seen = ""

const browser = async (url: string, request: RequestInit = {}): Promise<View> => {
  const text = await (await fetch(url, request)).text()
  seen += text
  return JSON.parse(text)
}

const attach = (site: RunningSite, name: string, content: string | Buffer<ArrayBuffer>): Promise<View> =>
  browser(`${site.url}/attachments`, {
    method: "POST",
    headers: { "x-file-name": encodeURIComponent(name) },
    body: content,
  })

/** What the visitor sees at the end. */
const read = async (site: RunningSite, id: string): Promise<void> => {
  let view = await browser(`${site.url}/attachments/${id}`)
  while (view.status === "reading") {
    await sleep(100)
    view = await browser(`${site.url}/attachments/${id}`)
  }
  console.log(`\n${view.name}: ${view.status}`)
  console.log(view.problem ?? view.text?.trimEnd())
  for (const note of view.notes ?? []) console.log(`(${note})`)
}

/** A network on which the answer to every first invocation is lost, after the service has accepted it. */
const lossy = () => {
  const lost = new Set<string>()
  let losses = 0
  const send: typeof fetch = async (input, init) => {
    const response = await fetch(input, init)
    const invocation = String(new Headers(init?.headers).get("idempotency-key"))
    if (!String(input).endsWith("/invoke") || lost.has(invocation)) return response
    lost.add(invocation)
    losses += 1
    throw new TypeError("the connection was lost")
  }
  return { send, losses: () => losses }
}

const demonstrate = async (): Promise<void> => {
  const network = lossy()
  const first = await startSite(network.send)
  const notes = await attach(first, "notes.md", "# Tide\n\nHigh at **06:12** and 18:40.\n")
  const deck = await attach(first, "harbour.pptx", await presentation("Harbour", "Two new berths"))
  while (network.losses() < 2) await sleep(10)
  await first.stop()
  console.log("Two documents were accepted, the answers were lost, and the site was restarted.")

  const second = await startSite()
  await read(second, notes.id)
  await read(second, deck.id)
  await read(second, (await attach(second, "berths.csv", "berth,metres\nA,12\nB,15\n")).id)
  await read(second, (await attach(second, "picture.pdf", "not really a PDF")).id)
  const refused = await attach(second, "setup.exe", "MZ")
  console.log(`\nsetup.exe: ${refused.problem}`)
  await second.stop()

  const { charged, usd } = await paid()
  console.log(`\nPaid: ${charged} documents, ${usd} USD.`)
  const leaks = /-md-json|toolfile_|tooltask_/.test(seen) || seen.includes(service.key)
  console.log("The browser saw a tool, file, task or key:", leaks)
}

/** What the service says that it charged (document-tools 4.8). */
const paid = async () => {
  const headers = { authorization: `Bearer ${service.key}` }
  const response = await fetch(`${service.url}/v1/tool-tasks`, { headers })
  const { data }: TaskList = Object(await response.json())
  const units = data.reduce((sum, { billing }) => sum + billing.charged, 0)
  return { charged: data.length, usd: units / unitsPerUsd }
}

const unitsPerUsd = 500_000

interface TaskList {
  readonly data: ReadonlyArray<{ readonly billing: { readonly charged: number } }>
}

try {
  if (process.argv.includes("--serve")) {
    const site = await startSite(fetch, 8080)
    console.log(`The site is at ${site.url}; Ctrl-C ends it.`)
    await once(process, "SIGINT")
    await site.stop()
  } else await demonstrate()
} finally {
  await service.stop()
  await rm(directory, { recursive: true, force: true })
}
