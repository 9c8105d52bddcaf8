import { UpstreamHttp } from "@atelier/models"
import { adaptersOf, type LoadedPlugin } from "@atelier/plugin"
import * as Effect from "effect/Effect"
import { CommandFailed } from "../CommandFailed.ts"
import * as Live from "../Live.ts"
import type { Settings } from "../Settings.ts"

/** How long a vendor's address may take to answer anything. */
const answerMs = 5_000
/** Only that something answers is looked at. */
const answerBytesMax = 64 * 1024

type Channel = NonNullable<Settings["config"]["channels"]>[number]

/**
 * Whether the vendor of each channel answers: any answer to a request without a key counts, so that nothing is paid.
 * Channels that draw here have no vendor.
 */
export const channels = (settings: Settings) =>
  Effect.gen(function* () {
    const plugins = yield* Live.plugins(settings)
    const said = yield* Effect.forEach(settings.config.channels ?? [], (channel) => look(channel, plugins), {
      concurrency: 8,
    })
    const silent = said.filter(({ answers }) => !answers)
    if (silent.length > 0)
      return yield* new CommandFailed({ message: silent.map(({ text }) => text).join("; ") })
    return said.length === 0
      ? "none is configured: images are drawn here"
      : said.map(({ text }) => text).join("; ")
  }).pipe(Effect.provide(Live.upstreams(settings)))

const look = Effect.fnUntraced(function* (channel: Channel, plugins: ReadonlyArray<LoadedPlugin>) {
  const { adapter, id } = channel
  const given = "base_url" in channel ? channel.base_url : undefined
  const url = given ?? adaptersOf(plugins)[adapter]?.baseUrl
  if (url === undefined) return { answers: true, text: `${id} draws here` }
  const http = yield* UpstreamHttp
  const request = {
    method: "GET",
    url,
    policy: "operator",
    timeoutMillis: answerMs,
    maxResponseBytes: answerBytesMax,
  } as const
  const began = performance.now()
  return yield* Effect.match(http.request(request), {
    onSuccess: ({ status }) => ({ answers: true, text: `${id} answers ${status} ${taken(began)}` }),
    onFailure: ({ message, phase }) =>
      phase === "body"
        ? { answers: true, text: `${id} answers ${taken(began)}` }
        : {
            answers: false,
            text: `${id} does not answer: ${message}; see to its base_url, DNS and the network, or send it nothing: atelier channels pause ${id}`,
          },
  })
})

const taken = (began: number): string => `after ${Math.round(performance.now() - began)} ms`
