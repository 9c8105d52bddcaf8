import { AtelierError, ConnectionError, errorOf, InvalidRequestError } from "./errors.ts"

export interface ClientOptions {
  /** `sk-atl-…`. Absent: the environment variable `ATELIER_API_KEY`. */
  readonly apiKey?: string | undefined
  /** Address of the service, with or without `/v1`. Absent: the environment variable `ATELIER_URL`. */
  readonly baseURL?: string | undefined
  /** How often a call that failed is repeated, where repeating is safe; 4 by default. */
  readonly maxRetries?: number | undefined
  /** Milliseconds that one request may take, its answer included; 60,000 by default. */
  readonly requestTimeoutMs?: number | undefined
  /** Milliseconds before the first repetition, doubled with each; 500 by default. `Retry-After` wins over it. */
  readonly retryDelayMs?: number | undefined
  /** In place of the global `fetch`. */
  readonly fetch?: typeof fetch | undefined
}

export interface HttpRequest {
  readonly method?: "GET" | "POST" | "DELETE"
  /** Below `/v1`, with its query. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** A value that is sent as JSON, or a form. */
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
}

export interface HttpReply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Longest wait between two tries, in milliseconds; a server that asks for more is reported to the caller. */
const retryDelayMsMax = 60_000
const backoffMsMax = 10_000
/** Tries while a first request under the same key is being processed: a server forgets a dead one after 30 s. */
const inProgressTriesMax = 20

const setting = (name: string): string | undefined => {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } }
  return process?.env?.[name] || undefined
}

/** Sends requests, and repeats those that may be repeated. */
export class Transport {
  readonly maxRetries: number
  readonly requestTimeoutMs: number
  readonly #root: string
  readonly #apiKey: string
  readonly #retryDelayMs: number
  readonly #fetch: typeof fetch

  constructor(options: ClientOptions) {
    const apiKey = options.apiKey ?? setting("ATELIER_API_KEY")
    const baseURL = options.baseURL ?? setting("ATELIER_URL")
    if (!apiKey) throw invalidArgument("apiKey", "is missing; give it, or set ATELIER_API_KEY")
    if (!baseURL || !/^https?:\/\//i.test(baseURL)) {
      throw invalidArgument("baseURL", "must be the http or https address of the service, or set ATELIER_URL")
    }
    this.#apiKey = apiKey
    this.#root = `${baseURL.replace(/\/+$/, "").replace(/\/v1$/, "")}/v1`
    this.maxRetries = options.maxRetries ?? 4
    this.requestTimeoutMs = options.requestTimeoutMs ?? 60_000
    this.#retryDelayMs = options.retryDelayMs ?? 500
    this.#fetch = options.fetch ?? globalThis.fetch.bind(globalThis)
  }

  /** One try. Throws `ConnectionError` where no whole answer came, and the answer's own error where it is none. */
  async send(request: HttpRequest): Promise<HttpReply> {
    const timer = new Deadline(this.requestTimeoutMs, request.signal)
    try {
      const response = await this.open(request, timer.signal)
      return { status: response.status, headers: response.headers, text: await response.text() }
    } catch (cause) {
      throw timer.explain(cause)
    } finally {
      timer.clear()
    }
  }

  /** The answer as soon as its headers are there, if it is a success; its body is the caller's to read. */
  async open(request: HttpRequest, signal: AbortSignal): Promise<Response> {
    const { method = "GET", path, body } = request
    const isForm = body instanceof FormData
    const headers: Record<string, string> = { authorization: `Bearer ${this.#apiKey}`, ...request.headers }
    if (body !== undefined && !isForm) headers["content-type"] = "application/json"
    const init: RequestInit = { method, headers, signal, redirect: "manual" }
    if (body !== undefined) init.body = isForm ? body : JSON.stringify(body)
    const response = await this.#fetch(`${this.#root}${path}`, init)
    if (response.ok) return response
    if (response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400)) {
      const target = response.headers.get("location") ?? "another address"
      const message = `The server redirects to ${target}; give that address as baseURL.`
      throw new ConnectionError(message, { code: "redirected", status: response.status })
    }
    throw errorOf(response.status, response.headers, parseOr(await response.text()))
  }

  /** `send`, repeated: only for what may be carried out twice. */
  repeated(request: HttpRequest): Promise<HttpReply> {
    return this.retrying(() => this.send(request), request.signal)
  }

  /** The JSON of a safe request's answer, which must be of the kind that `isExpected` knows. */
  async json<A>(request: HttpRequest, isExpected: (body: object) => boolean): Promise<A> {
    return this.retrying(async () => decode<A>(await this.send(request), isExpected), request.signal)
  }

  /** Runs `attempt` again while it fails with what may pass, after `Retry-After` or a growing delay. */
  async retrying<A>(
    attempt: () => Promise<A>,
    signal: AbortSignal | undefined,
    retriesMax = this.maxRetries,
  ): Promise<A> {
    for (let failures = 0, inProgress = 0; ; ) {
      try {
        return await attempt()
      } catch (error) {
        if (!(error instanceof AtelierError) || !error.retryable) throw error
        const waits = error.code === "idempotency_request_in_progress" && ++inProgress <= inProgressTriesMax
        if (!waits && failures >= retriesMax) throw error
        if ((error.retryAfter ?? 0) * 1000 > retryDelayMsMax) throw error
        await this.pause(failures, error.retryAfter, signal)
        if (!waits) failures += 1
      }
    }
  }

  /** The delay after a number of failures: exponential, at most 10 s, less up to a quarter at random. */
  async pause(
    failures: number,
    retryAfter: number | undefined,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const backoff = Math.min(this.#retryDelayMs * 2 ** failures, backoffMsMax) * (1 - Math.random() / 4)
    await sleep(Math.max(retryAfter === undefined ? backoff : retryAfter * 1000, 0), signal)
  }
}

export const invalidArgument = (param: string, message: string): AtelierError =>
  new InvalidRequestError(`${param} ${message}.`, { code: "invalid_argument", param })

const parseOr = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The answer's JSON. What is not of the expected kind is no answer of the service: a proxy or a portal made it. */
export const decode = <A>({ status, headers, text }: HttpReply, isExpected: (body: object) => boolean): A => {
  const body = parseOr(text)
  if (typeof body === "object" && body !== null && isExpected(body)) return body as A
  const message = `The server answered ${status} with something that is not of this API; is baseURL right?`
  const requestId = headers.get("x-request-id") ?? undefined
  throw new ConnectionError(message, { code: "unexpected_answer", status, requestId })
}

/** Sleeps, or throws the signal's reason. */
const sleep = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const done = () => {
      signal?.removeEventListener("abort", aborted)
      resolve()
    }
    const aborted = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(done, ms)
    signal?.addEventListener("abort", aborted, { once: true })
  })

/** A time limit joined with the caller's signal, which can be told apart afterwards. */
export class Deadline {
  readonly #controller = new AbortController()
  readonly #outer: AbortSignal | undefined
  #ms: number
  #timer: ReturnType<typeof setTimeout> | undefined
  #expired = false

  constructor(ms: number, outer: AbortSignal | undefined) {
    this.#ms = ms
    this.#outer = outer
    if (outer?.aborted) this.#controller.abort(outer.reason)
    outer?.addEventListener("abort", this.#abort, { once: true })
    this.extend()
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** The time begins again, with another length where one is given. */
  extend(ms = this.#ms): void {
    clearTimeout(this.#timer)
    this.#ms = ms
    this.#timer = setTimeout(() => {
      this.#expired = true
      this.#controller.abort()
    }, this.#ms)
  }

  /** Ends what still runs under the signal, and the timer. */
  clear(): void {
    clearTimeout(this.#timer)
    this.#outer?.removeEventListener("abort", this.#abort)
  }

  /** What a failure under this limit means: the caller's reason, a time-out, an error of the API, or a lost connection. */
  explain(cause: unknown): unknown {
    if (cause instanceof AtelierError) return cause
    if (this.#outer?.aborted) return this.#outer.reason
    if (this.#expired) {
      return new ConnectionError(`The server did not answer within ${this.#ms} ms.`, {
        code: "timeout",
        cause,
      })
    }
    const detail =
      cause instanceof Error
        ? cause.cause instanceof Error
          ? cause.cause.message
          : cause.message
        : String(cause)
    return new ConnectionError(`The connection failed: ${detail}`, { code: "connection_failed", cause })
  }

  readonly #abort = (): void => this.#controller.abort(this.#outer?.reason)
}
