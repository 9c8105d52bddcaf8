import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type ServerSentEvent, ServerSentEvents } from "../src/ServerSentEvents.ts"

const read = async (chunks: ReadonlyArray<Uint8Array>): Promise<ReadonlyArray<ServerSentEvent>> => {
  const events: Array<ServerSentEvent> = []
  for await (const event of new ServerSentEvents(ReadableStream.from(chunks), () => {})) events.push(event)
  return events
}

const text =
  ": hello\r\n\r\nid: 1\nevent: task\ndata: {\ndata:  ü🌊\n\nretry: 3\rid:2\rdata: b\r\r\ndata: unfinished"

describe("event streams", () => {
  it("are the same however their bytes are cut, and an event without its end is none", async () => {
    const bytes = new TextEncoder().encode(text)
    const expected = [
      { event: "task", data: "{\n ü🌊", id: "1" },
      { event: "message", data: "b", id: "2" },
    ]
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length)), async (cuts) => {
        const ends = [...cuts.toSorted((a, b) => a - b), bytes.length]
        const chunks = ends.map((end, index) => bytes.subarray(index === 0 ? 0 : (ends[index - 1] ?? 0), end))
        expect(await read(chunks)).toEqual(expected)
      }),
    )
  })
})
