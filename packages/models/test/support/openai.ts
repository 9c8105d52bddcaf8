import * as OpenAiImages from "../../src/adapters/OpenAiImages.ts"
import { idempotencyKeyOf, studio, type Vendor } from "../../src/testing/vendor.ts"
import { sampleBytes } from "../http/samples.ts"
import type { Channels } from "./app.ts"

/** Where generations are asked for. */
export const route = "/v1/images/generations"
const b64 = Buffer.from(sampleBytes("png")).toString("base64")
const imagesOf = ({ json: body }: { readonly json: unknown }) => ({
  data: Array.from({ length: Number(Object(body).n) }, () => ({ b64_json: b64 })),
})

/** One `openai-images` channel of a vendor, that honours an idempotency key or takes none. */
export const channelOf =
  (vendor: Vendor, honours: boolean): Channels =>
  (settings) => [
    {
      channel: OpenAiImages.make({ ...settings(vendor), options: { idempotency_key: honours } }),
      models: ["gen-image-2"],
    },
  ]

/** Makes the images that were asked for; once for each key, where the vendor honours it. */
export const studioOf = (honours: boolean) => studio(imagesOf, honours ? idempotencyKeyOf : undefined)
