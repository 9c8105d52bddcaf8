import { IncomingMessage, type Server, ServerResponse } from "node:http"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import { securityHeaders } from "./Answer.ts"
import { crossOrigin } from "./Cors.ts"
import { HeldRefusals } from "./HeldRefusals.ts"
import { HttpMetrics } from "./HttpMetrics.ts"
import { refuseHttp } from "./HttpRefusal.ts"
import { Line, type Waiter } from "./Line.ts"
import { Overload } from "./Overload.ts"
import { newRequestId, requestIdHeader } from "./RequestId.ts"
import { Settings } from "./ServerSettings.ts"
import { toApiError } from "./toApiError.ts"

/** A refused body larger than this is not read just to keep its connection. */
const unreadBytesMax = 64 * 1024
/** Submissions that begin in one turn of the event loop, so that other requests never wait for many. */
const perTurnMax = 4
/**
 * With this many transactions waiting to begin, no further submission begins: in the store they would wait in the order
 * in which they came, and here callers take turns.
 */
export const transactionsMax = 4
/** The same for submissions of callers who have no other one unanswered. */
const firstTransactionsMax = 16
/** Pause of the line while the store has enough to do. */
const fullPauseMillis = 1
/** No more begin in a turn that has spent as long on them, in milliseconds. */
const turnMillisMax = 1
/** Time to read the refusal before the connection is gone. */
const closingMillis = 500

/**
 * Refuses submissions with 503 `overloaded` while the process is overloaded: before the request is routed and
 * authenticated, its body read, or anything stored. At several times the load most requests are refused, so that a
 * refusal must cost a small part of a submission: it is written by Node's server, past Effect's.
 */
export const shed = Effect.fnUntraced(function* (server: Server) {
  const random = yield* SecureRandom
  const overload = yield* Overload
  const metrics = yield* HttpMetrics
  const held = yield* HeldRefusals
  const crossing = crossOrigin((yield* Settings).corsOrigins)
  const { body, headers, status } = toApiError(
    refuseHttp("overloaded", "The service has more to do than it can take on; send the request again later."),
    "tools",
  )
  // The constant part of every refusal, built once.
  const [beforeId = "", afterId = ""] = JSON.stringify({ ...body, request_id: "?" }).split("?")
  const head = Object.entries({ ...securityHeaders, ...headers, "content-type": "application/json" }).flat()
  const refuse = (request: IncomingMessage, response: ServerResponse): void => {
    const requestId = Effect.runSync(newRequestId(random))
    const text = `${beforeId}${requestId}${afterId}`
    const isKept = isSmall(request)
    const { url = "", method = "", headers } = request
    const crossed = crossing({ url, method, headers: { origin: headers.origin } })
    const own = {
      [requestIdHeader]: requestId,
      "content-length": String(Buffer.byteLength(text)),
      ...crossed?.headers,
      ...(isKept ? {} : { connection: "close" }),
    }
    metrics.count(method, undefined, status, 0)
    response.writeHead(status, [...head, ...Object.entries(own).flat()])
    if (isKept) response.end(text)
    else endUnread(request, response, text)
  }
  const refuseInTime = (request: IncomingMessage, response: ServerResponse): void => {
    response.once(
      "close",
      held.send(() => refuse(request, response)),
    )
  }
  const turns = new Turns(overload, refuseInTime)
  const { emit } = server
  Object.assign(server, {
    emit: (event: string | symbol, ...given: ReadonlyArray<unknown>): boolean => {
      const [request, response] = given
      const begin = () => Reflect.apply(emit, server, [event, ...given])
      if (
        (event === "request" || event === "checkContinue") &&
        request instanceof IncomingMessage &&
        response instanceof ServerResponse &&
        isSubmission(request)
      ) {
        const caller = request.headers.authorization ?? ""
        turns.take({ request, response, begin, caller, since: performance.now() })
        return true
      }
      return begin()
    },
  })
})

interface Submission extends Waiter {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly begin: () => void
}

/**
 * Begins `perTurnMax` submissions in a turn of the event loop, and as many of callers who have no other one unanswered;
 * others wait in the line, or are refused.
 */
class Turns {
  readonly #overload: Overload["Service"]
  readonly #refuse: (request: IncomingMessage, response: ServerResponse) => void
  readonly #line = new Line<Submission>()
  #inFlight = 0
  /** Of each caller, how many are not answered. */
  readonly #unanswered = new Map<string, number>()
  #begun = 0
  #firstsBegun = 0
  /** Milliseconds that this turn of the event loop has spent on beginning. */
  #spent = 0
  #isScheduled = false

  constructor(
    overload: Overload["Service"],
    refuse: (request: IncomingMessage, response: ServerResponse) => void,
  ) {
    this.#overload = overload
    this.#refuse = refuse
    overload.watch(() => {
      const now = performance.now()
      return {
        inFlight: this.#inFlight,
        waitingCount: this.#line.count,
        waitingMillis: now - (this.#line.oldest() ?? now),
      }
    })
  }

  take(submission: Submission): void {
    const { caller, request, response } = submission
    if (this.#isRefused(submission)) {
      this.#refuse(request, response)
      return
    }
    const before = this.#count(caller, 1)
    this.#inFlight += 1
    response.once("close", () => {
      this.#inFlight -= 1
      this.#count(caller, -1)
      this.#line.remove(submission)
    })
    if (before === 0 ? this.#takesFirst() : this.#line.count === 0 && !this.#isSpent()) {
      this.#begin(submission)
      return
    }
    this.#line.add(submission)
    this.#schedule()
  }

  /** How many the caller had. */
  #count(caller: string, more: number): number {
    const before = this.#unanswered.get(caller) ?? 0
    if (before + more > 0) this.#unanswered.set(caller, before + more)
    else this.#unanswered.delete(caller)
    return before
  }

  #takesFirst(): boolean {
    const takes =
      this.#firstsBegun < perTurnMax && this.#overload.transactionsWaiting() < firstTransactionsMax
    if (takes) this.#firstsBegun += 1
    return takes
  }

  #isFull(): boolean {
    return this.#overload.transactionsWaiting() >= transactionsMax
  }

  #begin({ begin }: Submission): void {
    this.#begun += 1
    this.#schedule()
    const began = performance.now()
    begin()
    this.#spent += performance.now() - began
  }

  #isSpent(): boolean {
    return this.#begun >= perTurnMax || this.#spent > turnMillisMax || this.#isFull()
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    if (this.#isFull()) setTimeout(this.#nextTurn, fullPauseMillis)
    else setImmediate(this.#nextTurn)
  }

  readonly #nextTurn = (): void => {
    this.#isScheduled = false
    this.#begun = 0
    this.#firstsBegun = 0
    this.#spent = 0
    for (let first = this.#line.first(); first !== undefined; first = this.#line.first()) {
      if (this.#isSpent()) {
        this.#schedule()
        return
      }
      this.#line.remove(first)
      if (this.#isRefused(first)) this.#refuse(first.request, first.response)
      else this.#begin(first)
    }
  }

  #isRefused({ caller, since }: Submission): boolean {
    const own = Math.min(this.#line.oldest(caller) ?? since, since)
    return this.#overload.refuses(performance.now() - own)
  }
}

/** Requests for new work: tasks, generations, quotes, uploads. */
const isSubmission = ({ method, url = "" }: IncomingMessage): boolean =>
  method === "POST" && /^\/(v1\/(images|tools)\/|mcp$)/.test(url)

const isSmall = ({ headers }: IncomingMessage): boolean =>
  headers.expect === undefined && Number(headers["content-length"] ?? Number.NaN) <= unreadBytesMax

/** Closing a socket that still has bytes to read would reset it, and the refusal might never be read. */
const endUnread = ({ socket }: IncomingMessage, response: ServerResponse, text: string): void => {
  response.write(text)
  response.detachSocket(socket)
  socket.end()
  const timer = setTimeout(() => socket.destroy(), closingMillis)
  socket.once("close", () => clearTimeout(timer))
}
