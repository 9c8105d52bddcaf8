export interface ServerSentEvent {
  readonly event: string
  readonly data: string
  readonly id: string | undefined
}

/** Longest event in characters: an answer that never ends a line does not fill the memory. */
const eventCharactersMax = 4 * 1024 * 1024

/** The events of a `text/event-stream` (WHATWG HTML, Server-sent events), in their order. `onBytes` hears of every arrival. */
export class ServerSentEvents implements AsyncIterable<ServerSentEvent> {
  readonly #body: ReadableStream<Uint8Array>
  readonly #onBytes: () => void

  constructor(body: ReadableStream<Uint8Array>, onBytes: () => void) {
    this.#body = body
    this.#onBytes = onBytes
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<ServerSentEvent, void, undefined> {
    const reader = this.#body.getReader()
    const decoder = new TextDecoder()
    let [pending, event, id]: [string, string, string | undefined] = ["", "message", undefined]
    let data: Array<string> = []
    try {
      for (;;) {
        const { done, value } = await reader.read()
        if (done) return
        this.#onBytes()
        pending += decoder.decode(value, { stream: true })
        if (pending.length > eventCharactersMax) throw new Error("an event is too long")
        // A carriage return at the end may be the first half of a line's end.
        const lines = pending.split(/\r\n|\n|\r(?!$)/)
        pending = lines.pop() ?? ""
        for (const line of lines) {
          if (line === "") {
            if (data.length > 0) yield { event, data: data.join("\n"), id }
            ;[event, data] = ["message", []]
            continue
          }
          const colon = line.indexOf(":")
          const field = colon < 0 ? line : line.slice(0, colon)
          const text = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "")
          if (field === "event") event = text
          else if (field === "data") data.push(text)
          else if (field === "id") id = text
        }
      }
    } finally {
      await reader.cancel().catch(() => {})
    }
  }
}
