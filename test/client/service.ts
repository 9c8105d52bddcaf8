import {
  call,
  type Installation,
  install,
  makeAccount,
  type Server,
  serve,
  textAt,
} from "../support/server.ts"
import { type FaultyProxy, openFaultyProxy, type Pages } from "./faultyProxy.ts"

const rate = 1_000_000
const channels = [{ id: "vendor", adapter: "faulty", models: { "*": "*" } }]

/**
 * Two real servers behind a proxy that fails by plan: one makes images at once, the other is busy with one for
 * ever, so that others wait.
 */
export const openService = async (pages?: Pages): Promise<FaultyProxy> => {
  const running: Array<{ readonly home: Installation; readonly server: Server }> = []
  const start = async (limits: object): Promise<string> => {
    const home = await install({ channels, limits: { rate_per_minute: rate, rate_burst: rate, ...limits } })
    const server = await serve(home)
    running.push({ home, server })
    return server.url
  }
  const stop = async (): Promise<void> => {
    for (const { home, server } of running) {
      await server.end("SIGKILL")
      home.remove()
    }
  }
  try {
    const servers = { idle: await start({}), busy: await start({ image_jobs_concurrent_max: 1 }) }
    await occupy(servers.busy)
    const proxy = await openFaultyProxy(servers, async (url) => (await makeAccount(url, 10)).key, pages)
    return { url: proxy.url, close: async () => void (await Promise.all([proxy.close(), stop()])) }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Has the server make an image that takes hours. */
const occupy = async (url: string): Promise<void> => {
  const { key } = await makeAccount(url, 10)
  const json = { model: "test-image", prompt: "[slow 5h] a heron" }
  const id = textAt((await call(`${url}/v1/images/tasks`, { key, json })).body, "id")
  for (let state = ""; state !== "in_progress"; ) {
    state = textAt((await call(`${url}/v1/tasks/${id}`, { key })).body, "state")
  }
}
