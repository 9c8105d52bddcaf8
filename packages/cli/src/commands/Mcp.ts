import { createInterface } from "node:readline"
import * as Sse from "effect/encoding/Sse"
import * as Option from "effect/Option"
import { asCaller } from "../Caller.ts"
import type { Target } from "../Login.ts"

interface Options extends Target {
  /** The most that the calls of this process may cost, in US dollars. */
  readonly maxCostUsd: Option.Option<string>
}

/** Of one message: the Markdown of a document, with its escapes. */
const messageCharactersMax = 256 * 1024 * 1024
/** Calls at once; a client that sends more waits. */
const atOnceMax = 16

/**
 * Serves the Model Context Protocol on standard input and output, for clients that start a program: every message goes
 * to `/mcp` of the server, and what it answers is written out, a line for each message. Ends with the input.
 */
export const mcp = ({ maxCostUsd, ...target }: Options) =>
  asCaller(target, ({ login: { url, apiKey } }) =>
    new Bridge(`${url}/mcp`, apiKey, Option.getOrUndefined(maxCostUsd)).run(),
  )

class Bridge {
  readonly #url: string
  readonly #headers: Record<string, string>

  constructor(url: string, key: string, ceiling: string | undefined) {
    this.#url = url
    this.#headers = {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(ceiling === undefined ? {} : { "atelier-session-max-cost-usd": ceiling }),
    }
  }

  async run(): Promise<void> {
    const sending = new Set<Promise<void>>()
    for await (const line of createInterface({ input: process.stdin })) {
      if (line.trim() === "") continue
      const sent = this.#send(line).finally(() => sending.delete(sent))
      sending.add(sent)
      // The session begins with the first answer; the messages after it are in that session.
      if (/"initialize"/.test(line)) await sent
      else if (sending.size >= atOnceMax) await Promise.race(sending)
    }
    await Promise.all(sending)
  }

  /** One message; where no answer comes, the client gets an error in its place. */
  async #send(line: string): Promise<void> {
    try {
      const response = await fetch(this.#url, { method: "POST", headers: { ...this.#headers }, body: line })
      const session = response.headers.get("mcp-session-id")
      if (session !== null) this.#headers["mcp-session-id"] = session
      if (!response.ok) return this.#fail(line, `${response.status} ${await response.text()}`)
      if (response.headers.get("content-type")?.startsWith("text/event-stream") === true) {
        return await writeEvents(response)
      }
      const text = await response.text()
      if (text !== "") write(text)
    } catch (error) {
      this.#fail(
        line,
        `no answer from ${this.#url}: ${error instanceof Error ? error.message : String(error)}`,
      )
    }
  }

  #fail(line: string, message: string): void {
    const id = idOf(line)
    if (id !== undefined) write(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32000, message } }))
  }
}

/** The id of a request; undefined for a notification, and for what is no JSON. */
const idOf = (line: string): unknown => {
  try {
    const message: unknown = JSON.parse(line)
    return typeof message === "object" && message !== null && "id" in message ? message.id : undefined
  } catch {
    return null
  }
}

const write = (message: string): void => {
  process.stdout.write(`${message.replaceAll("\n", " ")}\n`)
}

const writeEvents = async (response: Response): Promise<void> => {
  const parser = Sse.makeParser(
    (event) => {
      if (event._tag === "Event") write(event.data)
    },
    { maxEventSize: messageCharactersMax },
  )
  const decoder = new TextDecoder()
  for await (const piece of response.body ?? []) {
    const tooLarge = parser.feed(decoder.decode(piece, { stream: true }))
    if (tooLarge !== undefined) throw tooLarge
  }
}
