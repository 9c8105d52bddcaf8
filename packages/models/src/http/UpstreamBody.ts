import * as Stream from "effect/Stream"

/** Bytes that come while they are sent. `bytes`, their exact number, spares the server a chunked body. */
export interface Streamed {
  readonly stream: Stream.Stream<Uint8Array, unknown>
  readonly bytes?: number
}

/** One part of a `multipart/form-data` body: a field, or a file where `filename` is given. */
export interface Part {
  readonly name: string
  readonly filename?: string
  readonly contentType?: string
  readonly content: string | Uint8Array | Streamed
}

/** The body of an outgoing request; made by the functions of this file. */
export type UpstreamBody =
  | { readonly _tag: "Content"; readonly contentType: string; readonly content: Uint8Array | Streamed }
  | { readonly _tag: "Multipart"; readonly parts: ReadonlyArray<Part> }

/** A JSON body of a value that `JSON.stringify` can write. */
export const jsonBody = (value: unknown): UpstreamBody => ({
  _tag: "Content",
  contentType: "application/json",
  content: Buffer.from(JSON.stringify(value)),
})

/** A body of any type, in memory or streamed. */
export const contentBody = (content: Uint8Array | Streamed, contentType: string): UpstreamBody => ({
  _tag: "Content",
  contentType,
  content,
})

/** A `multipart/form-data` body (RFC 7578). Nothing is copied together; streams are read while it is sent. */
export const multipartBody = (parts: ReadonlyArray<Part>): UpstreamBody => ({ _tag: "Multipart", parts })

/** A streamed body is gone once it was sent. */
export const isReplayable = (body: UpstreamBody | undefined): boolean => {
  if (body === undefined) return true
  const contents = body._tag === "Content" ? [body.content] : body.parts.map(({ content }) => content)
  return contents.every((content) => typeof content === "string" || content instanceof Uint8Array)
}

/** What goes onto the wire. `bytes` is absent if it is not known in advance. */
export interface EncodedBody {
  readonly contentType: string
  readonly content: Uint8Array | Stream.Stream<Uint8Array, unknown>
  readonly bytes: number | undefined
}

/** `boundary` must be unguessable: a part that held it could add parts of its own. */
export const encodeBody = (body: UpstreamBody, boundary: string): EncodedBody => {
  if (body._tag === "Multipart") return encodeMultipart(body.parts, boundary)
  const { content, contentType } = body
  return content instanceof Uint8Array
    ? { contentType, content, bytes: content.length }
    : { contentType, content: content.stream, bytes: content.bytes }
}

const encodeMultipart = (parts: ReadonlyArray<Part>, boundary: string): EncodedBody => {
  const pieces = parts.flatMap((part) => [
    Buffer.from(partHead(part, boundary)),
    typeof part.content === "string" ? Buffer.from(part.content) : part.content,
    crlf,
  ])
  pieces.push(Buffer.from(`--${boundary}--\r\n`))
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    content: Stream.flatMap(Stream.fromIterable(pieces), (piece) =>
      piece instanceof Uint8Array ? Stream.make(piece) : piece.stream,
    ),
    bytes: totalOf(pieces.map((piece) => (piece instanceof Uint8Array ? piece.length : piece.bytes))),
  }
}

const crlf = Buffer.from("\r\n")

const totalOf = (lengths: ReadonlyArray<number | undefined>): number | undefined =>
  lengths.reduce<number | undefined>(
    (total, length) => (total === undefined || length === undefined ? undefined : total + length),
    0,
  )

const partHead = ({ contentType, filename, name }: Part, boundary: string): string => {
  const file = filename === undefined ? "" : `; filename="${escapeName(filename)}"`
  const type = contentType ?? (filename === undefined ? undefined : "application/octet-stream")
  const typeLine = type === undefined ? "" : `Content-Type: ${type.replace(/[\r\n]/g, "")}\r\n`
  return `--${boundary}\r\nContent-Disposition: form-data; name="${escapeName(name)}"${file}\r\n${typeLine}\r\n`
}

/** As browsers do (WHATWG HTML, multipart/form-data encoding). */
const escapeName = (name: string): string =>
  name.replace(/["\r\n]/g, (found) => (found === '"' ? "%22" : found === "\r" ? "%0D" : "%0A"))
