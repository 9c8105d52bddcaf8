import { IncomingMessage, type Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"

/** Requests of one connection that have no answer yet, the one that runs included. */
const pipelinedMax = 16

/**
 * Node reads thousands of small requests from a connection in one turn of the event loop and begins them all. Here
 * a connection's requests run one after another, as their answers are sent, one in a turn, so that what others ask is
 * answered between them. A connection with more than `pipelinedMax` of them is closed, and what it sent is dropped.
 */
export const boundPipelines = (server: Server, refused: () => void): void => {
  const waiting = new WeakMap<Socket, Array<() => void>>()
  /** A request may be emitted again, once there is a listener. */
  const known = new WeakSet<ServerResponse>()
  const { emit } = server
  const run = (socket: Socket, response: ServerResponse, begin: () => void): void => {
    response.once("close", () => {
      const next = socket.destroyed ? undefined : waiting.get(socket)?.shift()
      if (next === undefined) waiting.delete(socket)
      else setImmediate(next)
    })
    begin()
  }
  const take = (socket: Socket, response: ServerResponse, begin: () => void): void => {
    if (known.has(response)) {
      begin()
      return
    }
    known.add(response)
    if (socket.destroyed) return
    const queue = waiting.get(socket)
    if (queue === undefined) {
      waiting.set(socket, [])
      run(socket, response, begin)
    } else if (queue.length + 1 < pipelinedMax) {
      queue.push(() => run(socket, response, begin))
    } else {
      refused()
      stopParsing(socket)
      socket.destroy()
    }
  }
  Object.assign(server, {
    emit: (event: string | symbol, ...given: ReadonlyArray<unknown>): boolean => {
      const [request, response] = given
      const begin = () => Reflect.apply(emit, server, [event, ...given])
      if (!(request instanceof IncomingMessage && response instanceof ServerResponse)) return begin()
      take(request.socket, response, begin)
      return true
    },
  })
}

/**
 * Node parses what it read of a connection to the end, even of one that was closed; a parser that is refused a
 * request ends there.
 */
const stopParsing = (socket: Socket): void => {
  const parser: unknown = Reflect.get(socket, "parser")
  if (typeof parser === "object" && parser !== null) Reflect.set(parser, "onIncoming", () => -1)
}
