import { errorReference, requestIdHeader } from "./errors.ts"
import type { Json } from "./json.ts"

const bytes: Json = { schema: { type: "string", format: "binary" } }
const images: Json = {
  "image/png": bytes,
  "image/jpeg": bytes,
  "image/webp": bytes,
  "image/gif": bytes,
  "image/avif": bytes,
}
const text = (description: string): Json => ({ description, schema: { type: "string" } })

/** Archived images: a route beside the contract's endpoints. */
export const media: Json = {
  "/media/{name}": {
    get: {
      operationId: "media",
      tags: ["Images"],
      summary: "Download an image",
      description:
        "Anyone who has the link may read it; it needs no key. The name is the hash of the image: it never changes, and may be kept without end.",
      security: [],
      parameters: [
        {
          name: "name",
          in: "path",
          required: true,
          description: "The SHA-256 of the image in hexadecimal, and its extension.",
          schema: { type: "string", pattern: "^[0-9a-f]{64}\\.(png|jpg|webp|gif|avif)$" },
          example: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08.png",
        },
        {
          name: "Range",
          in: "header",
          required: false,
          description: "A part of the image, `bytes=0-1023`.",
          schema: { type: "string" },
        },
        {
          name: "If-None-Match",
          in: "header",
          required: false,
          description: "The `ETag` of a copy: 304 if it still holds.",
          schema: { type: "string" },
        },
      ],
      responses: {
        "200": {
          description: "The image.",
          headers: { ...requestIdHeader, ETag: text("The image's hash.") },
          content: images,
        },
        "206": {
          description: "The part of the image that `Range` names.",
          headers: { ...requestIdHeader, "Content-Range": text("Which part of how many bytes.") },
          content: images,
        },
        "304": { description: "The copy still holds.", headers: requestIdHeader },
        "404": errorReference("404"),
        "416": errorReference("416"),
      },
    },
  },
}
