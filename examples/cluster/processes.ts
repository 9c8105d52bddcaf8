import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { freePort } from "./freePort.ts"

/** One process of the cluster. */
export interface Process {
  readonly url: string
  /** Sends the signal and waits for the end: the exit code, null where the signal ended it. */
  readonly end: (signal: "SIGTERM" | "SIGKILL") => Promise<number | null>
}

const main = join(import.meta.dirname, "../../packages/cli/src/main.ts")

/** The same for every process. The test vendor follows directives in prompts: `[slow 1s]` takes a second. */
const config = {
  channels: [{ id: "vendor", adapter: "faulty", models: { "*": "*" } }],
  limits: { image_jobs_concurrent_max: 6, tool_tasks_per_user_max: 20 },
}

/**
 * Starts processes that share a database and a folder of blobs; several machines would share a bucket,
 * `ATELIER_BLOB_URL=s3://…`.
 */
export const makeCluster = (options: {
  readonly directory: string
  readonly databaseUrl: string
  readonly adminToken: string
}) => ({
  start: async (role: "api" | "worker", name: string): Promise<Process> => {
    const home = join(options.directory, name)
    await mkdir(home)
    await writeFile(join(home, "atelier.config.json"), JSON.stringify(config))
    const port = await freePort()
    const child = spawn(process.execPath, ["--conditions=atelier:source", main, "serve", "--role", role], {
      cwd: home,
      env: {
        PATH: process.env["PATH"],
        ATELIER_PORT: String(port),
        ATELIER_DATABASE_URL: options.databaseUrl,
        ATELIER_BLOB_URL: `file:${join(options.directory, "blobs")}`,
        ATELIER_PUBLIC_URL: "https://images.example.com",
        ATELIER_ADMIN_TOKEN: options.adminToken,
      },
      stdio: ["ignore", "pipe", "inherit"],
    })
    const closed = once(child, "close")
    await new Promise<void>((resolve, reject) => {
      let printed = ""
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        printed += text
        if (printed.includes("ready at")) resolve()
      })
      closed.then(() => reject(new Error(`${name} did not start: ${printed}`)), reject)
    })
    return {
      url: `http://127.0.0.1:${port}`,
      end: async (signal) => {
        child.kill(signal)
        await closed
        return child.exitCode
      },
    }
  },
})
