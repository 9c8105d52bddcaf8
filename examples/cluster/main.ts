import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { Customer } from "./customer.ts"
import { startPostgres } from "./postgres.ts"
import { makeCluster, type Process } from "./processes.ts"

/**
 * Two processes that answer requests and two that work, over one Postgres. One of each is killed in the middle of
 * twelve images and six documents, and nothing is lost or paid twice.
 */
const adminToken = "token-of-the-example"
const directory = await mkdtemp(join(tmpdir(), "atelier-cluster-"))
const postgres = await startPostgres(directory)
const cluster = makeCluster({ directory, databaseUrl: postgres.url, adminToken })
const processes = new Map<string, Process>()

const admin = async (url: string, json?: object): Promise<Readonly<Record<string, unknown>>> => {
  const headers = { authorization: `Bearer ${adminToken}`, "content-type": "application/json" }
  const init = json === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(json) }
  return Object(await (await fetch(url, init)).json())
}

const urlOf = (name: string): string => processes.get(name)?.url ?? ""

const kill = async (name: string): Promise<void> => {
  await processes.get(name)?.end("SIGKILL")
  processes.delete(name)
  console.log(`${name} is killed.`)
}

const count = (outcomes: ReadonlyArray<string>): string =>
  [...Map.groupBy(outcomes, (outcome) => outcome)]
    .map(([outcome, all]) => `${all.length} ${outcome}`)
    .join(", ")

const demonstrate = async (): Promise<void> => {
  const names = ["api-1", "api-2", "worker-1", "worker-2"]
  await Promise.all(
    names.map(async (name) => {
      processes.set(name, await cluster.start(name.startsWith("api") ? "api" : "worker", name))
    }),
  )
  console.log(`Postgres runs, and on it ${names.join(", ")}.`)
  const user = await admin(`${urlOf("api-1")}/admin/v1/users`, { name: "customer", balance_usd: 10 })
  const { key } = await admin(`${urlOf("api-1")}/admin/v1/users/${user["id"]}/keys`, {})
  const customer = new Customer(String(key))

  const turns = [...Array(6).keys()]
  const [here, there] = [urlOf("api-1"), urlOf("api-2")]
  const images = await Promise.all(
    turns.flatMap((turn) => [
      customer.image(here, `boat ${turn} [slow 3s]`),
      customer.image(there, `gull ${turn} [slow 3s]`),
    ]),
  )
  const documents = await Promise.all(turns.map((turn) => customer.document(here, there, `tide-${turn}`)))
  console.log(`${images.length} images and ${documents.length} documents are accepted.`)

  // Six at each of the two workers.
  while ((await Promise.all(images.map((id) => customer.state(there, id)))).includes("queued"))
    await sleep(50)
  console.log("Both workers are busy with six images each.")
  await kill("worker-1")
  await kill("api-1")

  const outcomes = (tasks: ReadonlyArray<string>) =>
    Promise.all(tasks.map((task) => customer.state(there, task, 30)))
  console.log(`Images: ${count(await outcomes(images))}.`)
  console.log(`Documents: ${count(await outcomes(documents))}.`)
  const { spent, held } = await admin(`${there}/admin/v1/users/${user["id"]}`)
  const { ledger_mismatches: mismatches } = await admin(`${there}/admin/v1/stats?check=true`)
  console.log(
    `Units spent: ${spent}; still held: ${held}; accounts that do not add up: ${Object(mismatches).length}.`,
  )
}

try {
  await demonstrate()
} finally {
  await Promise.all([...processes.values()].map((one) => one.end("SIGTERM")))
  await postgres.stop()
  await rm(directory, { recursive: true, force: true })
}
