import * as Effect from "effect/Effect"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Redacted from "effect/Redacted"
import * as HttpConverter from "./HttpConverter.ts"
import { formWith } from "./upload.ts"

export interface DoclingServeOptions {
  /** Without a slash at the end. */
  readonly baseUrl: string
  /** `DOCLING_SERVE_API_KEY` of that server; empty where it has none. */
  readonly apiKey: Redacted.Redacted
}

const fields = {
  to_formats: "md",
  do_ocr: "false",
  image_export_mode: "placeholder",
  include_images: "false",
}

/** docling-serve: POST v1/convert/file, which answers when the document is converted. No OCR is asked for. */
export const make = ({ baseUrl, apiKey }: DoclingServeOptions) =>
  HttpConverter.make({
    name: "docling-serve",
    request: (job) =>
      Effect.map(formWith(job, fields), (body) => {
        const key = Redacted.value(apiKey)
        return HttpClientRequest.post(`${baseUrl}/v1/convert/file`, {
          body,
          headers: { accept: "application/json", ...(key === "" ? {} : { "x-api-key": key }) },
        })
      }),
  })
