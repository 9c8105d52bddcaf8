import { spawn } from "node:child_process"
import { once } from "node:events"
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http"
import { fileURLToPath } from "node:url"
import { refusedCode } from "./s3Signature.ts"

/** A fault that a request meets: on the way to the server, or back. */
export type Fault =
  /** Answered with this status instead of by the server. */
  | { readonly kind: "status"; readonly status: number }
  /** Not passed on, and never answered. */
  | { readonly kind: "silence" }
  /** Passed on; then the connection is reset in place of an answer. */
  | { readonly kind: "unanswered" }
  /** One byte of its body is changed. */
  | { readonly kind: "damaged" }
  /** This many bytes of the answer's body arrive; then the connection is reset, or stays silent. */
  | { readonly kind: "cut" | "stalled"; readonly bytes: number }
  /** Passed on, and answered as done, with a body that says that it was not. */
  | { readonly kind: "error in 200" }

export interface Seen {
  readonly method: string
  /** Behind the bucket, without a slash at its start. */
  readonly key: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage["headers"]
}

/**
 * A real S3 server: the npm package fauxqs, which keeps its objects in memory. A proxy in front of it adds what it does
 * not have: it verifies signatures and the hashes of bodies, and injects faults.
 */
export interface S3Server {
  readonly endpoint: string
  /** The settings with which a process uses one of its buckets. */
  readonly credentials: { readonly AWS_ACCESS_KEY_ID: string; readonly AWS_SECRET_ACCESS_KEY: string }
  /** Makes an empty bucket and answers its name. */
  readonly bucket: () => Promise<string>
  /** The keys of a bucket. */
  readonly keys: (bucket: string) => Promise<ReadonlyArray<string>>
  /** Deletes the bucket; false if something prevents that, such as parts of unfinished uploads. */
  readonly deleteBucket: (bucket: string) => Promise<boolean>
  /** Decides the fault of each request; `undefined` switches faults off. */
  readonly disturb: (fault: ((seen: Seen) => Fault | undefined) | undefined) => void
  /** The requests since the last call. */
  readonly seen: () => ReadonlyArray<Seen>
  readonly stop: () => Promise<void>
}

const accessKeyId = "AKIDEXAMPLE"
const secretAccessKey = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"

export const startS3 = async (): Promise<S3Server> => {
  const server = spawn(process.execPath, [fileURLToPath(new URL("./s3Process.ts", import.meta.url))], {
    stdio: ["pipe", "pipe", "inherit"],
  })
  const [printed] = await once(server.stdout.setEncoding("utf8"), "data")
  const port = Number(printed)
  const origin = `http://127.0.0.1:${port}`
  let disturb: ((seen: Seen) => Fault | undefined) | undefined
  let seen: Array<Seen> = []
  let count = 0
  const front = createServer((incoming, outgoing) => {
    const url = new URL(incoming.url ?? "", origin)
    const [, , ...key] = url.pathname.split("/")
    const one = {
      method: incoming.method ?? "",
      key: key.join("/"),
      query: url.searchParams,
      headers: incoming.headers,
    }
    seen.push(one)
    // A connection that a fault breaks also breaks here.
    pass(incoming, outgoing, port, disturb?.(one)).catch(() => outgoing.destroy())
  }).listen(0, "127.0.0.1")
  await once(front, "listening")
  const address = front.address()
  if (address === null || typeof address === "string") throw new Error("no port")
  return {
    endpoint: `http://127.0.0.1:${address.port}`,
    credentials: { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey },
    bucket: async () => {
      const name = `bucket-${++count}`
      await fetch(`${origin}/${name}`, { method: "PUT" })
      return name
    },
    keys: async (bucket) => {
      const list = await (await fetch(`${origin}/${bucket}?list-type=2`)).text()
      return [...list.matchAll(/<Key>([^<]*)</g)].map(([, key = ""]) => key)
    },
    deleteBucket: async (bucket) => (await fetch(`${origin}/${bucket}`, { method: "DELETE" })).ok,
    disturb: (fault) => {
      disturb = fault
    },
    seen: () => {
      const since = seen
      seen = []
      return since
    },
    stop: async () => {
      front.closeAllConnections()
      front.close()
      server.stdin.end()
      await once(server, "close")
    },
  }
}

const pass = async (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  port: number,
  fault: Fault | undefined,
): Promise<void> => {
  const body = Buffer.concat(await incoming.toArray())
  if (fault?.kind === "silence") return
  if (fault?.kind === "status") return refuse(outgoing, fault.status, "FromTheFront")
  if (fault?.kind === "damaged" && body.length > 0) body[0] = (body[0] ?? 0) ^ 1
  const { method = "", url: target = "", headers } = incoming
  const refused = refusedCode({ method, target, headers }, body, { accessKeyId, secretAccessKey })
  if (refused !== undefined) {
    return refuse(outgoing, refused === "XAmzContentSHA256Mismatch" ? 400 : 403, refused)
  }
  const onward = request({ port, host: "127.0.0.1", method, path: target, headers }).end(body)
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    onward.on("response", resolve).on("error", reject)
  })
  const content = Buffer.concat(await answer.toArray())
  if (fault?.kind === "unanswered") return void outgoing.destroy()
  if (fault?.kind === "error in 200") return refuse(outgoing, 200, "InternalError")
  outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
  if (fault?.kind !== "cut" && fault?.kind !== "stalled") return void outgoing.end(content)
  await new Promise((sent) => outgoing.write(content.subarray(0, fault.bytes), sent))
  if (fault.kind === "cut") outgoing.destroy()
}

const refuse = (outgoing: ServerResponse, status: number, code: string): void => {
  const body = `<?xml version="1.0"?>\n<Error><Code>${code}</Code><Message>The front says ${code}.</Message></Error>`
  outgoing.writeHead(status, { "content-type": "application/xml", "content-length": body.length })
  outgoing.end(outgoing.req.method === "HEAD" ? "" : body)
}
