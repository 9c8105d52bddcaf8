import { AtelierError, about, InvalidRequestError } from "./errors.ts"
import type { Tasks } from "./Tasks.ts"
import { decode, invalidArgument, type Transport } from "./Transport.ts"
import type { SubmitOptions, Task } from "./types.ts"

/** What a submission and a task that was found by its key have in common. */
export interface Submission {
  readonly path: string
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Whether a task that is found under the key is this submission's own. */
  readonly isOwn: (task: Task) => boolean
  readonly isAccepted: (body: object) => boolean
}

const randomBytesOfKey = 16

/** A key that both services take: `atl-` and 32 hexadecimal digits. */
export const newIdempotencyKey = (): string => {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(randomBytesOfKey))
  return `atl-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`
}

/**
 * Submits under one idempotency key over all tries (image-tasks 4.5, document-tools 4.3). After a lost answer the
 * task is looked for by its key before anything is sent again. An error that leaves the outcome open carries the key.
 */
export const submit = async <A extends { readonly id: string }>(
  transport: Transport,
  tasks: Tasks,
  { path, body, headers, isOwn, isAccepted }: Submission,
  { idempotencyKey = newIdempotencyKey(), signal }: SubmitOptions,
): Promise<A | Task> => {
  if (!/^[\x21-\x7e]{1,128}$/.test(idempotencyKey)) {
    throw invalidArgument("idempotencyKey", "must be 1 to 128 printable ASCII characters")
  }
  let isLost = false
  const attempt = async (): Promise<A | Task> => {
    const found = isLost ? await tasks.find(idempotencyKey, { signal }) : undefined
    if (found !== undefined) {
      if (isOwn(found)) return found
      const message = `The idempotency key ${idempotencyKey} belongs to another operation, the task ${found.id}.`
      throw new InvalidRequestError(message, {
        code: "idempotency_key_reused",
        status: 409,
        taskId: found.id,
      })
    }
    try {
      const keyed = { ...headers, "idempotency-key": idempotencyKey }
      return decode<A>(
        await transport.send({ method: "POST", path, headers: keyed, body, signal }),
        isAccepted,
      )
    } catch (error) {
      isLost ||=
        !(error instanceof AtelierError) ||
        error.status === undefined ||
        error.status >= 500 ||
        error.code === "unexpected_answer"
      throw error
    }
  }
  try {
    return await transport.retrying(attempt, signal)
  } catch (error) {
    throw about(error, { idempotencyKey })
  }
}
