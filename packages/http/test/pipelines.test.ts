import { once } from "node:events"
import { createServer, type Server } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { afterEach, assert, describe, it } from "vitest"
import { boundPipelines } from "../src/Pipelines.ts"

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

const connectionsOf = (server: Server) =>
  new Promise<number>((resolve, reject) =>
    server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
  )

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

describe("requests of one connection", () => {
  it("run one after another", async () => {
    const begun: Array<() => void> = []
    const server = createServer((_, response) => {
      begun.push(() => response.end())
    })
    boundPipelines(server, () => {})
    const port = await listen(server)
    const socket = connect(port, "127.0.0.1")
    socket.write("GET / HTTP/1.1\r\nhost: a\r\n\r\n".repeat(5))
    for (let count = 1; count <= 5; count++) {
      while (begun.length < count) await nextTurn()
      for (let turn = 0; turn < 5; turn++) await nextTurn()
      assert.strictEqual(begun.length, count)
      begun.at(-1)?.()
    }
    socket.destroy()
  })

  it("of which one begins in a turn of the event loop, however soon they are answered", async () => {
    const turns: Array<number> = []
    let turn = 0
    const server = createServer((_, response) => {
      turns.push(turn)
      response.end()
    })
    boundPipelines(server, () => {})
    const port = await listen(server)
    const socket = connect(port, "127.0.0.1")
    socket.write("GET / HTTP/1.1\r\nhost: a\r\n\r\n".repeat(5))
    for (; turns.length < 5; turn++) await nextTurn()
    assert.strictEqual(new Set(turns).size, 5)
    socket.destroy()
  })

  it("are dropped with it, but for the one that runs", async () => {
    let begun = 0
    const server = createServer(() => {
      begun += 1
    })
    boundPipelines(server, () => {})
    const port = await listen(server)
    const socket = connect(port, "127.0.0.1")
    socket.write("GET / HTTP/1.1\r\nhost: a\r\n\r\n".repeat(5))
    while (begun === 0) await nextTurn()
    socket.destroy()
    while ((await connectionsOf(server)) > 0) await nextTurn()
    for (let turn = 0; turn < 20; turn++) await nextTurn()
    assert.strictEqual(begun, 1)
  })
})
