import { once } from "node:events"
import { createServer, get, type Server } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { afterEach, assert, describe, it } from "vitest"
import { ListeningServer } from "../src/ListeningServer.ts"

const open: Array<Server> = []
afterEach(() => {
  for (const server of open.splice(0)) server.close().closeAllConnections()
})

const listen = async (server: Server, port = 0): Promise<number> => {
  open.push(server)
  server.listen({ port, host: "127.0.0.1" })
  await once(server, "listening")
  return (server.address() as AddressInfo).port
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

describe("the listening server", () => {
  it.runIf(process.platform === "linux")(
    "accepts several connections in a turn of the event loop",
    async () => {
      const server = new ListeningServer({})
      const port = await listen(server)
      const count = 40
      let [accepted, most] = [0, 0]
      server.on("connection", () => {
        accepted += 1
      })
      for (let each = 0; each < count; each++) connect(port, "127.0.0.1").on("error", () => {})
      while (accepted < count) {
        const before = accepted
        await nextTurn()
        most = Math.max(most, accepted - before)
      }
      assert.isAbove(most, 1)
    },
  )

  it("a port that another server has is refused", async () => {
    const port = await listen(new ListeningServer({}))
    for (const other of [new ListeningServer({}), createServer()]) {
      other.listen({ port, host: "127.0.0.1" })
      const [error] = await once(other, "error")
      assert.strictEqual((error as NodeJS.ErrnoException).code, "EADDRINUSE")
    }
  })

  it("of servers that start on a port at once, one has it; when that is closed, another may", async () => {
    const first = new ListeningServer({})
    const port = await listen(first)
    const closed = once(first, "close")
    first.close()
    await closed
    const outcome = () =>
      new Promise<string | undefined>((resolve) => {
        const server = new ListeningServer({})
        open.push(server)
        server.once("error", ({ code }: NodeJS.ErrnoException) => resolve(code))
        server.listen({ port, host: "127.0.0.1" }, () => resolve("listens"))
      })
    const outcomes = await Promise.all([outcome(), outcome(), outcome()])
    assert.deepStrictEqual(outcomes.toSorted(), ["EADDRINUSE", "EADDRINUSE", "listens"])
  })

  it("is closed when the last of its connections has its answer, whichever socket accepted it", async () => {
    const waiting: Array<() => void> = []
    const server = new ListeningServer({}, (_, response) => {
      waiting.push(() => response.end("done"))
    })
    const port = await listen(server)
    const answers = Array.from({ length: 12 }, async () => {
      const [response] = await once(get({ port, host: "127.0.0.1", agent: false }), "response")
      response.resume()
      await once(response, "end")
    })
    while (waiting.length < answers.length) await nextTurn()
    let closed = false
    const closing = new Promise<void>((resolve) => {
      server.close(() => {
        closed = true
        resolve()
      })
    })
    for (const answer of waiting) {
      assert.isFalse(closed)
      answer()
    }
    await Promise.all([...answers, closing])
  })
})
