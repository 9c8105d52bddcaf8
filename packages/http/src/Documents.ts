import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"
import { openApiFile } from "@atelier/api"
import * as Effect from "effect/Effect"
import * as HttpBody from "effect/http/HttpBody"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import { type Headers, holds } from "./Answer.ts"

/** A document that is the same for every caller, and changes only with the release. */
interface Document {
  readonly bytes: Uint8Array
  readonly contentType: string
  readonly headers: Headers
}

/** The machine's reference. */
export const makeOpenApi = Effect.suspend(() => makeServed(openApiFile, "application/json", () => ({})))

/** The people's reference, which `npm run generate` makes: it is one file, and loads nothing. */
export const makeReference = Effect.suspend(() =>
  makeServed(new URL("./reference/index.html", import.meta.url), "text/html; charset=utf-8", (page) => ({
    "content-security-policy": [
      "default-src 'none'",
      `style-src ${digestOf(page, "style")}`,
      `script-src ${digestOf(page, "script")}`,
      "font-src data:",
      // What "Try it" asks of this server, and the image that it answers with.
      "connect-src 'self'",
      "img-src blob:",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join("; "),
  })),
)

/** The source that a policy allows: the one element of that name in the page. */
const digestOf = (page: string, element: "style" | "script"): string => {
  const [, text = ""] = new RegExp(`<${element}>([\\s\\S]*?)</${element}>`).exec(page) ?? []
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`
}

/** Runs work once for all who ask, also where the first of them left; again after a failure. */
export const once = <A>(work: () => Promise<A>): (() => Promise<A>) => {
  let running: Promise<A> | undefined
  return () => {
    running ??= work().catch((error: unknown) => {
      running = undefined
      throw error
    })
    return running
  }
}

/** Read at the first request, so that a server that is never asked pays nothing. */
export const makeServed = (file: URL, contentType: string, headersOf: (text: string) => Headers) =>
  Effect.sync(() => {
    const plain = once(async (): Promise<Document> => {
      const bytes = await readFile(file)
      return { bytes, contentType, headers: headersOf(bytes.toString("utf8")) }
    })
    const answerIn = (coding: Coding) =>
      Effect.promise(
        once(async () => {
          const document = await plain()
          return answerOf({ ...document, bytes: await codings[coding](document.bytes) }, coding)
        }),
      )
    const answers = { br: answerIn("br"), gzip: answerIn("gzip"), identity: answerIn("identity") }
    return (request: HttpServerRequest.HttpServerRequest) =>
      Effect.map(answers[codingOf(request.headers["accept-encoding"])], ({ answer, known, etag }) =>
        holds(request.headers["if-none-match"], etag) ? known : answer,
      )
  })

const codings = {
  br: (bytes: Uint8Array): Promise<Uint8Array> =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (bytes: Uint8Array): Promise<Uint8Array> => promisify(gzip)(bytes),
  identity: async (bytes: Uint8Array): Promise<Uint8Array> => bytes,
}
type Coding = keyof typeof codings

/** The smallest that the caller names and does not refuse (RFC 9110, 12.5.3). */
const codingOf = (accepted = ""): Coding => {
  const named = accepted
    .toLowerCase()
    .split(",")
    .map((entry) => entry.trim().split(/\s*;\s*/))
    .filter(([, weight = "q=1"]) => Number(weight.replace("q=", "")) > 0)
    .map(([name]) => name)
  return named.includes("br") ? "br" : named.includes("gzip") ? "gzip" : "identity"
}

const answerOf = ({ bytes, contentType, headers }: Document, coding: Coding) => {
  const etag = `"${createHash("sha256").update(bytes).digest("hex").slice(0, 32)}"`
  const shared = { etag, vary: "accept-encoding", "cache-control": "public, max-age=300", ...headers }
  const encoding: Headers = coding === "identity" ? {} : { "content-encoding": coding }
  return {
    etag,
    known: HttpServerResponse.empty({ status: 304, headers: shared }),
    answer: HttpServerResponse.setBody(
      HttpServerResponse.empty({ status: 200, headers: { ...shared, ...encoding } }),
      HttpBody.stream(inPieces(bytes), contentType, bytes.length),
    ),
  }
}

const nextTurn = Effect.callback<void>((resume) => {
  const immediate = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(immediate))
})
const turn = Semaphore.withPermit(Semaphore.makeUnsafe(1), nextTurn)

/** How much of a document is written to a connection at once. */
const pieceBytes = 64 * 1024

/**
 * A document is sent from one place in memory, in pieces as its reader takes them: whole, it would hold up everybody
 * else while the system takes it. However many ask, one piece is sent in each turn of the event loop.
 */
const inPieces = (bytes: Uint8Array): Stream.Stream<Uint8Array> => {
  const pieces = Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, index) =>
    bytes.subarray(index * pieceBytes, (index + 1) * pieceBytes),
  )
  return Stream.mapEffect(Stream.fromIterable(pieces), (piece) => Effect.as(turn, piece))
}
