import { type RequestListener, Server, type ServerOptions } from "node:http"
import { connect, createServer, type ListenOptions, type Server as NetServer } from "node:net"

/** Sockets that listen on the server's one port. */
const socketsCount = 4
/** How long another server on the port may take to answer a connection. */
const probeTimeoutMs = 1000

/**
 * Node accepts one connection of a listening socket in each turn of the event loop. When turns are long, callers who
 * connect would wait for seconds behind others who do; here a turn accepts one connection of each of several sockets
 * that share the port. Where the system cannot share one (only Linux is asked), there is one socket.
 */
export class ListeningServer extends Server {
  readonly #others: Array<NetServer> = []
  #claim: NetServer | undefined

  constructor(options: ServerOptions, listener?: RequestListener) {
    super(options, listener)
  }

  override listen(...given: ReadonlyArray<unknown>): this {
    const [options, listening] = given
    if (process.platform !== "linux" || !hasPort(options)) return Reflect.apply(super.listen, this, given)
    const listen = () =>
      super.listen({ ...options, reusePort: true }, () => {
        this.#share(options)
        if (typeof listening === "function") listening.call(this)
      })
    // The system would let two servers share a port: of those that start at once one may go on, and whether another
    // has the port is asked first.
    this.#take(options).then((isTaken) => {
      if (isTaken) listen()
      else {
        this.#release()
        this.emit("error", inUse(options))
      }
    })
    return this
  }

  /** `done` runs when the last connection is closed, whichever socket accepted it. */
  override close(done?: (error?: Error) => void): this {
    let open = 1 + this.#others.length
    let fault: Error | undefined
    const closed = (error?: Error) => {
      fault ??= error
      open -= 1
      if (open === 0) done?.(fault)
    }
    for (const other of this.#others.splice(0)) other.close(() => closed())
    this.#release()
    return super.close(closed)
  }

  /** Whether the port is this server's alone. */
  async #take(options: PortOptions): Promise<boolean> {
    if (options.port === 0) return true
    this.#release()
    this.#claim = await claim(options)
    return this.#claim !== undefined && !(await answers(options))
  }

  /** Another server may have the port. */
  #release(): void {
    this.#claim?.close()
    this.#claim = undefined
  }

  #share(options: ListenOptions): void {
    const address = this.address()
    if (address === null || typeof address === "string") return
    for (let count = 1; count < socketsCount; count++) {
      const other = createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
        this.emit("connection", socket),
      )
      // If one cannot listen, there is one less.
      other.once("error", () => {})
      other.listen({ ...options, port: address.port, host: address.address, reusePort: true })
      this.#others.push(other)
    }
  }
}

type PortOptions = ListenOptions & { readonly port: number }

const hasPort = (options: unknown): options is PortOptions =>
  typeof options === "object" && options !== null && "port" in options && typeof options.port === "number"

/**
 * Takes the one name of the port and address in the system, which ends with the process at the latest: an abstract
 * socket, that has no file. Nothing if another server has it.
 */
const claim = ({ port, host }: PortOptions): Promise<NetServer | undefined> =>
  new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy()).unref()
    // Where there are no such names, two servers that start at once may share the port.
    server.once("error", ({ code }: NodeJS.ErrnoException) =>
      resolve(code === "EADDRINUSE" ? undefined : server),
    )
    server.listen({ path: `\0atelier ${host ?? "::"} ${port}` }, () => resolve(server))
  })

/** Whether a server accepts connections on the port. */
const answers = ({ port, host }: PortOptions): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({
      port,
      timeout: probeTimeoutMs,
      ...(host === undefined ? {} : { host: reachable(host) }),
    })
    const end = (taken: boolean) => () => {
      socket.destroy()
      resolve(taken)
    }
    socket.once("connect", end(true)).once("error", end(false)).once("timeout", end(false))
  })

const reachable = (host: string): string => (host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host)

const inUse = ({ port, host }: PortOptions): NodeJS.ErrnoException =>
  Object.assign(new Error(`listen EADDRINUSE: address already in use ${host ?? "::"}:${port}`), {
    code: "EADDRINUSE",
    syscall: "listen",
    port,
  })
