import { verifyWebhook, type Webhook, WebhookVerificationError } from "@atelier/client"
import * as fc from "fast-check"
import { Webhook as StandardWebhook } from "standardwebhooks"
import { describe, expect, it } from "vitest"

const secret = `whsec_${btoa("0123456789abcdef0123456789abcdef")}`
const another = `whsec_${btoa("another secret of another API key")}`
const body = JSON.stringify({
  type: "image.task.completed",
  timestamp: "2026-01-01T00:00:00Z",
  data: { id: "imgtask_1" },
})

const signed = (text = body, at = new Date(), by = secret): Webhook => ({
  headers: {
    "webhook-id": "evt_1",
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": new StandardWebhook(by).sign("evt_1", at, text),
  },
  body: text,
  secret,
})

const refusal = async (webhook: Webhook): Promise<string> => {
  const error = await verifyWebhook(webhook).catch((cause: unknown) => cause)
  if (!(error instanceof WebhookVerificationError)) throw new Error("not refused")
  return error.code
}

describe("contract, Waiting: callbacks are signed by Standard Webhooks", () => {
  it("what the reference library signs is verified, as text, as bytes, and from a Headers", async () => {
    const webhook = signed()
    const event = JSON.parse(body)
    expect(await verifyWebhook(webhook)).toEqual(event)
    expect(await verifyWebhook({ ...webhook, body: new TextEncoder().encode(body) })).toEqual(event)
    expect(
      await verifyWebhook({ ...webhook, headers: new Headers(webhook.headers as Record<string, string>) }),
    ).toEqual(event)
  })

  it("while a secret is rotated either of two is enough, in the header and in the settings", async () => {
    const [one, two] = [signed(), signed(body, new Date(), another)]
    const both = `${Object(one.headers)["webhook-signature"]} ${Object(two.headers)["webhook-signature"]}`
    expect(
      await verifyWebhook({
        ...one,
        headers: { ...one.headers, "webhook-signature": both },
        secret: another,
      }),
    ).toBeDefined()
    expect(await verifyWebhook({ ...one, secret: [another, secret] })).toBeDefined()
  })

  it("a changed body, another secret, an old delivery and a missing header are refused", async () => {
    const webhook = signed()
    expect(await refusal({ ...webhook, body: body.replace("completed", "failed") })).toBe("wrong_signature")
    expect(await refusal({ ...webhook, secret: another })).toBe("wrong_signature")
    expect(await refusal(signed(body, new Date(Date.now() - 301_000)))).toBe("too_old")
    expect(await refusal(signed(body, new Date(Date.now() + 301_000)))).toBe("too_old")
    expect(await refusal({ ...webhook, headers: {} })).toBe("missing_header")
    expect(await refusal({ ...webhook, secret: "whsec_" })).toBe("invalid_secret")
    expect(await refusal({ ...signed("{"), body: "{" })).toBe("invalid_body")
  })

  it("no other signature is taken, whatever it is", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string(),
          fc.base64String().map((text) => `v1,${text}`),
        ),
        async (signature) => {
          const webhook = signed()
          const headers = { ...webhook.headers, "webhook-signature": signature }
          expect(["wrong_signature", "missing_header"]).toContain(await refusal({ ...webhook, headers }))
        },
      ),
    )
  })
})
