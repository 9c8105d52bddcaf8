import type { Json } from "./json.ts"

const header = (name: string, description: string, example: string): Json => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" },
  example,
})

const exampleOf = (task: Json, type: string): Json => ({
  type,
  timestamp: "2026-01-01T00:00:09.000Z",
  data: task,
})

/** The body of a callback (contract, Waiting). */
export const webhookSchemas: Json = {
  WebhookEvent: {
    type: "object",
    description: "The body of a callback: a task reached its final state.",
    required: ["type", "timestamp", "data"],
    properties: {
      type: { type: "string", enum: ["image.task.completed", "image.task.failed"] },
      timestamp: { type: "string", format: "date-time" },
      data: { $ref: "#/components/schemas/ImageTask" },
    },
  },
}

/** What this service sends to the `callback_url` of a submission. */
export const webhooks = (task: Json): Json => ({
  imageTaskFinished: {
    post: {
      operationId: "webhooks.imageTaskFinished",
      tags: ["Images"],
      summary: "An image task is final",
      description:
        "One POST to the submission's `callback_url`, signed by [Standard Webhooks](https://www.standardwebhooks.com) with the key's `webhook_secret`. Anything but 2xx within 15 seconds is tried again for 24 hours, with growing delays: verify the signature, and ignore a `webhook-id` that you have seen.",
      security: [],
      parameters: [
        header("webhook-id", "The same for every attempt.", "evt_01k8a3v5w2x9y7z4q6r8s1t3v5"),
        header(
          "webhook-timestamp",
          "When it was sent, in Unix seconds. Refuse what is older than 5 minutes.",
          "1767225610",
        ),
        header(
          "webhook-signature",
          "`v1,` and the base64 of an HMAC-SHA256 over id, timestamp and body; two of them, with a space between, while the secret is rotated.",
          "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
        ),
      ],
      requestBody: {
        required: true,
        content: {
          "application/json": {
            schema: { $ref: "#/components/schemas/WebhookEvent" },
            examples: { completed: { value: exampleOf(task, "image.task.completed") } },
          },
        },
      },
      responses: {
        "2XX": { description: "It was received, and is not sent again." },
        "4XX": { description: "It was not received, and is tried again." },
      },
    },
  },
})
