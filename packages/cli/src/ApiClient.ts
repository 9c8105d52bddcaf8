import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import { CommandFailed } from "./CommandFailed.ts"

/** The server and the API key that a command uses: flags, else ATELIER_URL and ATELIER_API_KEY. */
export interface Target {
  readonly url: Option.Option<string>
  readonly key: Option.Option<string>
}

export interface Request {
  readonly method?: "GET" | "POST"
  /** A path of the server, or the whole URL of a result. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | FormData
}

const defaultUrl = "http://127.0.0.1:8787"

/** Attempts at a request that got no answer; all carry the same idempotency key, so none counts twice. */
const retriesMax = 4
/** How long the server holds one poll open, in seconds. */
const pollSeconds = 20
/** Longest time that a command waits for its task. */
const waitMsMax = 15 * 60 * 1000

const ErrorBody = Schema.Struct({
  error: Schema.Struct({ message: Schema.String, code: Schema.String }),
  request_id: Schema.optionalKey(Schema.String),
})
const decodeError = Schema.decodeUnknownOption(ErrorBody)

/** No answer came: the request may be repeated. */
class NoAnswer extends Schema.TaggedError<NoAnswer>()("NoAnswer", { message: Schema.String }) {}

/** A client of the /v1 API for commands: answers bodies, and fails with one readable line. */
export const make = (target: Target) =>
  Effect.gen(function* () {
    const base = (setting(target.url, "ATELIER_URL") ?? defaultUrl).replace(/(\/v1)?\/*$/, "")
    const key = setting(target.key, "ATELIER_API_KEY")
    if (key === undefined) {
      return yield* new CommandFailed({ message: "expected an API key in --key or ATELIER_API_KEY" })
    }
    if (!/^https?:$/.test(URL.parse(base)?.protocol ?? "")) {
      const got = JSON.stringify(base)
      return yield* new CommandFailed({ message: `--url: expected an http:// or https:// URL, got ${got}` })
    }

    const send = (request: Request) =>
      Effect.tryPromise({
        try: (signal) =>
          fetch(own(request) ? `${base}${request.path}` : request.path, {
            method: request.method ?? "GET",
            // Result links may lead to other hosts, which are not told the key.
            headers: own(request) ? { authorization: `Bearer ${key}`, ...request.headers } : {},
            ...(request.body === undefined ? {} : { body: request.body }),
            signal,
          }),
        catch: (cause) => new NoAnswer({ message: `${base} does not answer: ${reasonOf(cause)}` }),
      })

    /** The bytes of a 2xx answer. */
    const bytes = (request: Request) =>
      send(request).pipe(
        Effect.flatMap((response) =>
          Effect.tryPromise({
            try: async () => ({ ok: response.ok, body: new Uint8Array(await response.arrayBuffer()) }),
            catch: (cause) => new NoAnswer({ message: `${base} broke off: ${reasonOf(cause)}` }),
          }),
        ),
        Effect.retry({ times: retriesMax, schedule: Schedule.exponential("200 millis") }),
        Effect.catchTag("NoAnswer", ({ message }) => Effect.fail(new CommandFailed({ message }))),
        Effect.flatMap(({ ok, body }) => (ok ? Effect.succeed(body) : Effect.fail(refusal(body)))),
      )

    const text = (request: Request) => Effect.map(bytes(request), (body) => new TextDecoder().decode(body))

    const json = <A>(schema: Schema.Decoder<A>, request: Request) =>
      Effect.flatMap(text(request), (body) =>
        Effect.mapError(
          Schema.decodeUnknownEffect(Schema.fromJsonString(schema))(body),
          () => new CommandFailed({ message: `${base} sent an unexpected answer to ${request.path}` }),
        ),
      )

    /** Polls the task until `final` holds. An error that ends the polling earlier names the task, which is paid for. */
    const wait = <A>(schema: Schema.Decoder<A>, id: string, final: (task: A) => boolean) =>
      Effect.gen(function* () {
        const until = (yield* Clock.currentTimeMillis) + waitMsMax
        for (;;) {
          const task = yield* Effect.mapError(
            json(schema, { path: `/v1/tasks/${id}?wait=${pollSeconds}` }),
            ({ message }) =>
              new CommandFailed({ message: `${message}; the task goes on, see: atelier tasks show ${id}` }),
          )
          if (final(task)) return task
          if ((yield* Clock.currentTimeMillis) > until) {
            return yield* new CommandFailed({
              message: `${id} is not done yet; see: atelier tasks show ${id}`,
            })
          }
        }
      })

    return { bytes, text, json, wait }
  })

const own = ({ path }: Request): boolean => path.startsWith("/")

const setting = (flag: Option.Option<string>, variable: string): string | undefined =>
  Option.getOrUndefined(flag) ?? (process.env[variable] || undefined)

const refusal = (body: Uint8Array): CommandFailed => {
  const text = new TextDecoder().decode(body)
  const found = decodeError(parse(text))
  if (Option.isNone(found)) return new CommandFailed({ message: `refused: ${text.slice(0, 200)}` })
  const { error, request_id } = found.value
  const where = request_id === undefined ? "" : `, ${request_id}`
  return new CommandFailed({ message: `${error.message} (${error.code}${where})` })
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const reasonOf = (cause: unknown): string => {
  const inner = cause instanceof Error ? cause.cause : undefined
  if (typeof inner === "object" && inner !== null && "code" in inner) return String(inner.code)
  return cause instanceof Error ? cause.message : String(cause)
}
