import * as Effect from "effect/Effect"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpConverter from "./HttpConverter.ts"
import { streamOf, vendorFilename } from "./upload.ts"

export interface TikaOptions {
  /** Without a slash at the end. */
  readonly baseUrl: string
}

/** Apache Tika server: PUT tika, which answers HTML, or Markdown from version 4 on. No OCR is asked for. */
export const make = ({ baseUrl }: TikaOptions) =>
  HttpConverter.make({
    name: "tika",
    request: (job) =>
      Effect.sync(() =>
        HttpClientRequest.put(`${baseUrl}/tika`, {
          body: streamOf(job),
          headers: {
            accept: "text/html, text/plain;q=0.5",
            "content-disposition": `attachment; filename="${vendorFilename(job)}"`,
            "x-tika-ocrskipocr": "true",
            "x-tika-pdfocrstrategy": "no_ocr",
          },
        }),
      ),
  })
