/** A refusal of the service, or that it was not reached. */
export class Failure extends Error {
  readonly status: number
  readonly code: string
  readonly param: string | null
  readonly requestId: string | null
  /** Whether the operator's session was refused, and not a key that was given. */
  readonly isOfSession: boolean
  constructor(
    status: number,
    code: string,
    message: string,
    param: string | null,
    requestId: string | null,
    isOfSession = false,
  ) {
    super(message)
    this.status = status
    this.code = code
    this.param = param
    this.requestId = requestId
    this.isOfSession = isOfSession
  }
}

export interface Call {
  readonly method?: "GET" | "POST" | "PATCH" | "PUT" | "DELETE"
  readonly body?: unknown
  /** An admin token to sign in with, or a customer's API key; absent: the session's cookie. */
  readonly key?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
}

/** A text that no other request has. `randomUUID` is there only on secure origins. */
export const unique = (): string =>
  [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("")

const headersOf = ({ body, key, headers, method }: Call): Record<string, string> => ({
  // Without it the session's cookie does not count.
  "x-atelier-console": "1",
  ...(body === undefined || body instanceof FormData ? {} : { "content-type": "application/json" }),
  ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
  ...(method === "POST" && key === undefined ? { "idempotency-key": unique() } : {}),
  ...headers,
})

/** One request; fails with a `Failure`. */
export const send = async (path: string, call: Call = {}): Promise<Response> => {
  const { method = "GET", body, signal } = call
  const response = await fetch(path, {
    method,
    headers: headersOf(call),
    body: body === undefined ? null : body instanceof FormData ? body : JSON.stringify(body),
    signal: signal ?? null,
    credentials: "same-origin",
  }).catch((cause: unknown) => {
    if (signal?.aborted === true) throw cause
    throw new Failure(0, "unreachable", "The server does not answer. Is it running?", null, null)
  })
  if (response.ok) return response
  throw await failureOf(response, call.key === undefined)
}

const failureOf = async (response: Response, isOfSession: boolean): Promise<Failure> => {
  const { status } = response
  const text = await response.text()
  try {
    const { error, request_id } = JSON.parse(text)
    const { code, message, param = null } = error
    return new Failure(status, code, message, param, request_id ?? null, isOfSession)
  } catch {
    return new Failure(status, "no_answer", `The server answered ${status}.`, null, null, isOfSession)
  }
}

export const api = async <A>(path: string, call: Call = {}): Promise<A> => {
  const response = await send(path, call)
  return (await response.json()) as A
}

/** A query string of what is given. */
export const query = (given: Readonly<Record<string, string | number | undefined | null>>): string => {
  const entries = Object.entries(given).filter(
    ([, value]) => value !== undefined && value !== null && value !== "",
  )
  return entries.length === 0
    ? ""
    : `?${new URLSearchParams(entries.map(([name, value]) => [name, String(value)]))}`
}

/** Server-Sent Events of one name, until the stream or the signal ends. */
export const events = async (
  path: string,
  name: string,
  call: Call,
  onEvent: (data: unknown) => void,
): Promise<void> => {
  const response = await send(path, call)
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ""
  while (reader !== undefined) {
    const { done, value } = await reader.read()
    if (done) return
    const blocks = `${rest}${value}`.split("\n\n")
    rest = blocks.pop() ?? ""
    for (const block of blocks) {
      const lines = block.split("\n")
      if (!lines.includes(`event: ${name}`)) continue
      const data = lines.filter((line) => line.startsWith("data: ")).map((line) => line.slice(6))
      onEvent(JSON.parse(data.join("\n")))
    }
  }
}

/** Saves an answer as a file. */
export const download = async (path: string, filename: string): Promise<void> => {
  const blob = await (await send(path)).blob()
  const link = document.createElement("a")
  link.href = URL.createObjectURL(blob)
  link.download = filename
  link.click()
  URL.revokeObjectURL(link.href)
}
