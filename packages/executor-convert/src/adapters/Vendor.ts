import type { MarkdownWriter, Warnings } from "@atelier/executor/parsing"
import type * as Effect from "effect/Effect"
import type { HttpClientRequest } from "effect/http/HttpClientRequest"
import type { ConvertJob } from "../Converter.ts"

export type VendorName = "cloudflare" | "docling-serve" | "tika"

/** A converter on the network: how it is asked, and what its refusals mean. */
export interface Vendor {
  readonly name: VendorName
  /** The request for a document, built for each attempt. */
  readonly request: (job: ConvertJob) => Effect.Effect<HttpClientRequest>
  /** True where a refusal with this body concerns the settings, not the document, whatever its status. */
  readonly concernsSettings?: (excerpt: string) => boolean
}

/** An answer for a vendor's own reader, and where its Markdown and warnings go. */
export interface Answer {
  readonly bytes: Uint8Array
  /** Value of the header `Content-Type`. */
  readonly type: string
  readonly markdown: MarkdownWriter
  readonly warnings: Warnings
}

/** Runs in the parsing pool. Throws a `Refusal`: `converter_rejected`, `converter_failed`. */
export type ReadAnswer = (answer: Answer) => void | Promise<void>
