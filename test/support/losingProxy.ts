import { connect, createServer, type Socket } from "node:net"
import { freePort } from "./server.ts"

/** How long what was sent may take to arrive. */
const arrivalMs = 500

/** Stands before Postgres and ends connections, once, when a text comes by. */
export const openLosingProxy = async (database: string) => {
  const target = new URL(database)
  const { hostname, port: targetPort } = target
  const sockets = new Set<Socket>()
  let awaited: { readonly text: string; readonly arrives: boolean } | undefined
  let lost = 0
  const proxy = createServer((inner) => {
    const outer = connect(Number(targetPort), hostname)
    for (const socket of [inner, outer]) {
      sockets.add(socket)
      socket.on("error", () => {}).once("close", () => sockets.delete(socket))
    }
    inner.on("data", (bytes) => {
      if (awaited === undefined || !bytes.includes(awaited.text)) return
      const { arrives } = awaited
      awaited = undefined
      lost += 1
      if (arrives) {
        outer.unpipe(inner)
        setTimeout(() => inner.destroy(), arrivalMs).unref()
      } else for (const socket of sockets) socket.destroy()
    })
    inner.pipe(outer).pipe(inner)
  })
  const port = await freePort()
  await new Promise<void>((resolve) => proxy.listen(port, "127.0.0.1", resolve))
  target.port = String(port)
  return {
    url: target.href,
    /** All connections end, and the text does not arrive. */
    loseRequest: (text: string): void => {
      awaited = { text, arrives: false }
    },
    /** The text arrives, and its connection ends before it is answered. */
    loseAnswer: (text: string): void => {
      awaited = { text, arrives: true }
    },
    lost: () => lost,
    close: () => {
      proxy.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
