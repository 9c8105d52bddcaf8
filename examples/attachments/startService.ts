import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"

const token = "token-of-the-example"

export interface RunningService {
  readonly url: string
  /** The API key of the site. It stays in the site's back end. */
  readonly key: string
  readonly stop: () => Promise<void>
}

/** Atelier in a process of its own, with its data in `directory`, and a customer with 1 USD. */
export const startService = async (directory: string): Promise<RunningService> => {
  const main = join(import.meta.dirname, "../../packages/cli/src/main.ts")
  const child = spawn(process.execPath, ["--conditions=atelier:source", main, "serve"], {
    cwd: directory,
    env: { PATH: process.env["PATH"], ATELIER_PORT: "0", ATELIER_ADMIN_TOKEN: token },
    stdio: ["ignore", "pipe", "inherit"],
  })
  const closed = once(child, "close")
  const url = await new Promise<string>((resolve, reject) => {
    let printed = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      printed += text
      const found = /ready at (http:\/\/[\d.:]+)/.exec(printed)?.[1]
      if (found !== undefined) resolve(found)
    })
    closed.then(() => reject(new Error(`the service did not start: ${printed}`)), reject)
  })
  const user = await admin(`${url}/admin/v1/users`, { name: "attachments", balance_usd: 1 })
  const { key } = await admin(`${url}/admin/v1/users/${user["id"]}/keys`, {})
  return {
    url,
    key: String(key),
    stop: async () => {
      child.kill("SIGTERM")
      await closed
    },
  }
}

const admin = async (url: string, json: object): Promise<Readonly<Record<string, unknown>>> => {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(json) })
  return Object(await response.json())
}
