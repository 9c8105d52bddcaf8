import { spawn } from "node:child_process"
import { once } from "node:events"
import { Agent, get } from "node:http"
import { fileURLToPath } from "node:url"
import { rounded } from "./report.ts"

/** GET requests at a steady rate, from a process of its own, over kept connections. */
export interface Pace {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly perSecond: number
  readonly seconds: number
}

/** Milliseconds from sending to the end of the answer; requests go out on time, whether others are answered or not. */
export interface Latencies {
  readonly p50: number
  readonly p99: number
  readonly largest: number
  /** Answers outside 2xx, and requests without an answer. */
  readonly failed: number
}

/** Runs in a second process. */
export const paced = async (pace: Pace): Promise<Latencies> => {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), JSON.stringify(pace)], {
    stdio: ["ignore", "pipe", "inherit"],
  })
  let output = ""
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text
  })
  await once(child, "close")
  return JSON.parse(output)
}

const execute = async ({ url, headers, perSecond, seconds }: Pace): Promise<Latencies> => {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const began = performance.now()
  const times: Array<number> = []
  let failed = 0
  const request = (): Promise<void> =>
    new Promise((resolve) => {
      const sentAt = performance.now()
      const fail = () => {
        failed += 1
        resolve()
      }
      get(url, { agent, headers }, (response) => {
        response.resume().on("end", () => {
          times.push(performance.now() - sentAt)
          if (response.statusCode !== 200) failed += 1
          resolve()
        })
      }).on("error", fail)
    })
  const requests: Array<Promise<void>> = []
  for (let sent = 0; sent < perSecond * seconds; sent++) {
    const due = began + (sent * 1000) / perSecond
    const early = due - performance.now()
    if (early > 0) await new Promise((resolve) => setTimeout(resolve, early))
    requests.push(request())
  }
  await Promise.all(requests)
  agent.destroy()
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number): number => rounded(sorted[Math.floor((sorted.length - 1) * share)] ?? 0, 3)
  return { p50: at(0.5), p99: at(0.99), largest: at(1), failed }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log(JSON.stringify(await execute(JSON.parse(process.argv[2] ?? "{}"))))
}
