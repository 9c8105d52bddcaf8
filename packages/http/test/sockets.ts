import { connect, type Socket } from "node:net"
import { Effect } from "effect"

export const open = (port: number) =>
  Effect.callback<Socket>((resume) => {
    const socket = connect(port, "127.0.0.1", () => resume(Effect.succeed(socket)))
    socket.on("error", () => {})
  })

/** Everything until the peer closes. */
export const rest = (socket: Socket) =>
  Effect.callback<string>((resume) => {
    let text = ""
    socket.on("data", (chunk) => {
      text += chunk.toString()
    })
    socket.on("close", () => resume(Effect.succeed(text)))
  })

/** The beginning of a POST request, up to its body. */
export const head = (path: string, key: string, headers: { readonly [name: string]: string | number }) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("")}\r\n`

/** Writes, and waits until the answer has come to hold `text`. */
export const until = (socket: Socket, written: string, text: string) =>
  Effect.callback<string>((resume) => {
    let all = ""
    const listen = (chunk: Buffer) => {
      all += chunk.toString()
      if (!all.includes(text)) return
      socket.off("data", listen)
      resume(Effect.succeed(all))
    }
    socket.on("data", listen)
    socket.write(written)
  })
