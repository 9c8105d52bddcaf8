import * as Effect from "effect/Effect"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Redacted from "effect/Redacted"
import * as HttpConverter from "./HttpConverter.ts"
import { formWith } from "./upload.ts"

export interface CloudflareMarkdownOptions {
  readonly accountId: string
  readonly apiKey: Redacted.Redacted
  /** The address of Cloudflare's API where absent; without a slash at the end. */
  readonly baseUrl?: string | undefined
}

const cloudflare = "https://api.cloudflare.com/client/v4"

/** Cloudflare's error numbers that concern the token or the account. */
const settingsError = /"code":\s*(6003|6111|7003|9106|9109|10000)\b/

/**
 * Cloudflare Workers AI, Markdown Conversion: POST accounts/ID/ai/tomarkdown. Pictures inside of documents are
 * not asked to be described; what Cloudflare reports about a PDF apart from its text is left out.
 */
export const make = ({ accountId, apiKey, baseUrl = cloudflare }: CloudflareMarkdownOptions) =>
  HttpConverter.make({
    name: "cloudflare",
    concernsSettings: (excerpt) => settingsError.test(excerpt),
    request: (job) =>
      Effect.map(formWith(job, { conversionOptions: JSON.stringify({ pdf: { metadata: false } }) }), (body) =>
        HttpClientRequest.post(`${baseUrl}/accounts/${encodeURIComponent(accountId)}/ai/tomarkdown`, {
          body,
          headers: { accept: "application/json", authorization: `Bearer ${Redacted.value(apiKey)}` },
        }),
      ),
  })
