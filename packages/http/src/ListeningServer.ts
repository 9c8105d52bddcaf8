import { type RequestListener, Server, type ServerOptions } from "node:http"
import { createServer, type ListenOptions, type Server as NetServer } from "node:net"

/** Sockets that listen on the server's one port. */
const socketsCount = 4

/**
 * Node accepts one connection of a listening socket in each turn of the event loop. When turns are long, callers who
 * connect would wait for seconds behind others who do; here a turn accepts one of each of several sockets that
 * share the port. Where the system cannot share one (only Linux is asked), there is one socket.
 */
export class ListeningServer extends Server {
  readonly #others: Array<NetServer> = []

  constructor(options: ServerOptions, listener?: RequestListener) {
    super(options, listener)
  }

  override listen(...given: ReadonlyArray<unknown>): this {
    const [options, listening] = given
    if (process.platform !== "linux" || !isPort(options)) return Reflect.apply(super.listen, this, given)
    const listen = () => {
      super.listen({ ...options, reusePort: true }, () => {
        this.#share(options)
        if (typeof listening === "function") listening.call(this)
      })
    }
    // A port that others may share would be shared with another server, too: that it is free is asked first.
    const probe = createServer()
    probe.once("error", (error) => this.emit("error", error))
    probe.listen({ ...options, exclusive: true }, () => probe.close(listen))
    return this
  }

  override close(done?: (error?: Error) => void): this {
    let open = 1 + this.#others.length
    let fault: Error | undefined
    const closed = (error?: Error) => {
      fault ??= error
      open -= 1
      if (open === 0) done?.(fault)
    }
    for (const other of this.#others) other.close(() => closed())
    this.#others.length = 0
    return super.close(closed)
  }

  #share(options: ListenOptions): void {
    const address = this.address()
    if (address === null || typeof address === "string") return
    for (let count = 1; count < socketsCount; count++) {
      const other = createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
        this.emit("connection", socket),
      )
      // One that cannot listen is one less.
      other.once("error", () => {})
      other.listen({ ...options, port: address.port, host: address.address, reusePort: true })
      this.#others.push(other)
    }
  }
}

const isPort = (options: unknown): options is ListenOptions & { readonly port: number } =>
  typeof options === "object" && options !== null && "port" in options
