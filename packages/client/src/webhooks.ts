import { WebhookVerificationError } from "./errors.ts"
import type { ImageTask } from "./types.ts"

/** Body of a callback: one for each final state of a task with a `callback_url`. */
export interface WebhookEvent {
  readonly type: "image.task.completed" | "image.task.failed"
  /** When the task ended, as ISO 8601. */
  readonly timestamp: string
  readonly data: ImageTask
}

export interface Webhook {
  /** The request's headers: a `Headers`, or an object of them as Node has it. */
  readonly headers: Headers | Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  /** The body exactly as it arrived, before any JSON parser. */
  readonly body: string | Uint8Array<ArrayBuffer>
  /** `whsec_…` of the API key; while it is rotated, both. */
  readonly secret: string | ReadonlyArray<string>
  /** How old a delivery may be, in seconds; 300 by default. */
  readonly toleranceSeconds?: number | undefined
}

/**
 * Checks a callback by Standard Webhooks, and answers its event. Throws `WebhookVerificationError` with `code`
 * `missing_header`, `too_old`, `wrong_signature` or `invalid_body`; answer such a request with 400.
 * Deliveries are repeated: take `data.id` as the key of what you do.
 */
export const verifyWebhook = async ({
  headers,
  body,
  secret,
  toleranceSeconds = 300,
}: Webhook): Promise<WebhookEvent> => {
  const [id, timestamp, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) =>
    headerOf(headers, name),
  )
  if (!id || !timestamp || !signatures) throw refused("missing_header", "A header of the webhook is missing.")
  const age = Math.abs(Date.now() / 1000 - Number(timestamp))
  if (!/^\d+$/.test(timestamp) || age > toleranceSeconds) {
    throw refused(
      "too_old",
      `The webhook's time ${timestamp} is not within ${toleranceSeconds} seconds of now.`,
    )
  }
  const text = typeof body === "string" ? body : new TextDecoder().decode(body)
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`)
  const secrets = typeof secret === "string" ? [secret] : secret
  for (const each of secrets) {
    const key = await keyOf(each)
    for (const signature of signatures.split(" ")) {
      const bytes = signature.startsWith("v1,") ? bytesOf(signature.slice(3)) : undefined
      if (bytes !== undefined && (await crypto.subtle.verify("HMAC", key, bytes, signed))) return parse(text)
    }
  }
  throw refused("wrong_signature", "No signature of the webhook is right for this secret and this body.")
}

const refused = (code: string, message: string) => new WebhookVerificationError(message, { code })

const headerOf = (headers: Webhook["headers"], name: string): string | undefined => {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const entry = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return typeof entry === "string" ? entry : entry?.[0]
}

const keyOf = (secret: string) => {
  const bytes = bytesOf(secret.replace(/^whsec_/, ""))
  if (bytes === undefined || bytes.length === 0)
    throw refused("invalid_secret", "The secret is not one of a webhook: whsec_….")
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"])
}

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> | undefined => {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

const parse = (text: string): WebhookEvent => {
  try {
    return JSON.parse(text)
  } catch {
    throw refused("invalid_body", "The webhook's body is not JSON.")
  }
}
