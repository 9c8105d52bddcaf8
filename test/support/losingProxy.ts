import { connect, createServer, type Socket } from "node:net"
import { freePort } from "./server.ts"

/** How long what was sent may take to arrive. */
const arrivalMs = 500

/** Stands before Postgres and ends connections, once, when something comes by. */
export const openLosingProxy = async (database: string) => {
  const target = new URL(database)
  const { hostname, port: targetPort } = target
  const sockets = new Set<Socket>()
  let request: string | undefined
  let watched: string | undefined
  let carrier: Socket | undefined
  let losesNext = false
  let lost = 0
  const proxy = createServer((inner) => {
    const outer = connect(Number(targetPort), hostname)
    for (const socket of [inner, outer]) {
      sockets.add(socket)
      socket.on("error", () => {}).once("close", () => sockets.delete(socket))
    }
    inner.on("data", (bytes) => {
      if (request !== undefined && bytes.includes(request)) {
        request = undefined
        lost += 1
        for (const socket of sockets) socket.destroy()
      } else if (losesNext && inner === carrier) {
        losesNext = false
        lost += 1
        outer.unpipe(inner)
        setTimeout(() => inner.destroy(), arrivalMs).unref()
      } else if (watched !== undefined && bytes.includes(watched)) carrier = inner
    })
    inner.pipe(outer).pipe(inner)
  })
  const port = await freePort()
  await new Promise<void>((resolve) => proxy.listen(port, "127.0.0.1", resolve))
  target.port = String(port)
  return {
    url: target.href,
    /** All connections end when this text comes by, which does not arrive. */
    loseRequest: (text: string): void => {
      request = text
    },
    /** Remembers which connection sent this text last. */
    watch: (text: string): void => {
      watched = text
    },
    /** What that connection sends next arrives, and it ends before that is answered. */
    loseNextAnswer: (): void => {
      losesNext = true
    },
    lost: () => lost,
    close: () => {
      proxy.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
