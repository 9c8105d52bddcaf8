/** The files of a new adapter: a plugin that works as it is, for a vendor that takes an order and is polled. */
export const adapterFiles = (name: string, version: string): Readonly<Record<string, string>> => ({
  "package.json": `${JSON.stringify(
    {
      name: `atelier-${name}`,
      version: "0.1.0",
      type: "module",
      exports: { ".": "./src/plugin.ts" },
      scripts: { test: "vitest run --testTimeout 60000" },
      dependencies: {
        "@atelier/core": version,
        "@atelier/models": version,
        "@atelier/plugin": version,
        effect: "4.1.0",
      },
      devDependencies: { "@effect/vitest": "*", vitest: "*" },
    },
    null,
    2,
  )}\n`,
  "README.md": `# atelier-${name}

An adapter for Atelier. In the server's configuration:

\`\`\`json
{
  "plugins": ["./atelier-${name}/src/plugin.ts"],
  "channels": [{ "id": "${name}", "adapter": "${name}", "api_key_env": "KEY", "models": { "gen-image-2": "*" } }]
}
\`\`\`

- \`src/adapter.ts\`: orders and polls. Write its table first: each answer of the vendor, and its reason.
- \`test/contract.test.ts\`: how the vendor speaks; \`npm test\` holds it to the contract of every channel. What it imports is found here or in a folder above.
`,
  "src/plugin.ts": `import { defineAdapter } from "@atelier/models"
import { definePlugin } from "@atelier/plugin"
import { make, Options } from "./adapter.ts"

export default definePlugin({
  name: "atelier-${name}",
  adapters: { "${name}": defineAdapter({ Options, make, baseUrl: "https://api.${name}.example" }) },
})
`,
  "src/adapter.ts": `import { type ImageRequest, UpstreamError } from "@atelier/core"
import {
  type AdapterSettings,
  bearerOf,
  call,
  done,
  generationOfLinks,
  jsonBody,
  type Look,
  lookAt,
  type MakeChannel,
  pending,
  pollUntil,
  refusalOf,
} from "@atelier/models"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** \`options\` of a \`${name}\` channel: each optional, with its unit. */
export const Options = Schema.Struct({
  style: Schema.optionalKey(Schema.String),
})
export type Options = typeof Options.Type

/**
 * Adapter \`${name}\`.
 *
 * | what happens | reason |
 * | --- | --- |
 * | 2xx with an id | accepted |
 * | code \`content_policy\` | \`rejected\` |
 * | any other 4xx; a generation that failed, or has no image | \`failed\` |
 * | 401, 402, 403, 404 to the order | \`unavailable\`, logged |
 * | 429; no connection | \`unavailable\`, with \`Retry-After\` |
 * | the order is cut or unanswered; 5xx without JSON; an answer without an id | \`ambiguous\` |
 */
export const make: MakeChannel<Options> = (settings) => ({
  id: settings.channelId,
  // True only if the vendor makes and bills nothing twice for the same reference.
  repeatable: false,
  generate: Effect.fnUntraced(function* ({ onAccepted, onProgress, request, upstreamId }) {
    // With an id: poll, never order again.
    const id = upstreamId ?? (yield* order(settings, request))
    if (upstreamId === null) yield* onAccepted(id)
    return yield* pollUntil(look(settings, id, request.n), onProgress)
  }),
})

const Generation = Schema.Struct({
  id: Schema.String.check(Schema.isNonEmpty()),
  status: Schema.String,
  images: Schema.optionalKey(Schema.Array(Schema.String)),
})
const decode = Schema.decodeUnknownOption(Generation)

const order = Effect.fnUntraced(function* (
  settings: AdapterSettings<Options>,
  request: ImageRequest,
): Effect.fn.Return<string, UpstreamError> {
  const { height, n, prompt, width } = request
  const answer = yield* call(settings, {
    method: "POST",
    path: "/generations",
    headers: bearerOf(settings),
    body: jsonBody({ ...settings.options, model: settings.upstreamModel(request.model), prompt, n, width, height }),
    timeoutMillis: 60_000,
    maxResponseBytes: 1024 * 1024,
    once: true,
  })
  if (answer.status < 200 || answer.status > 299) {
    return yield* Effect.flip(
      refusalOf(settings, answer, {
        isRejection: ({ excerpt }) => excerpt.includes("content_policy"),
        isMisconfiguration: () => false,
      }),
    )
  }
  const generation = decode(answer.json)
  if (Option.isSome(generation)) return generation.value.id
  return yield* new UpstreamError({ reason: "ambiguous", message: "The upstream's answer has no id." })
})

const look = (
  settings: AdapterSettings<Options>,
  id: string,
  n: number,
): Effect.Effect<Look, UpstreamError> =>
  lookAt(
    settings,
    { path: \`/generations/\${encodeURIComponent(id)}\`, headers: bearerOf(settings) },
    Effect.fnUntraced(function* ({ json }) {
      const generation = decode(json)
      if (Option.isNone(generation)) return pending()
      const { images = [], status } = generation.value
      if (status === "done") return done(yield* generationOfLinks(settings, images, n))
      if (status !== "failed") return pending()
      return yield* new UpstreamError({ reason: "failed", message: "The upstream's generation failed." })
    }),
  )
`,
  "test/contract.test.ts": `import { channelContract, json } from "@atelier/models/testing"
import { make } from "../src/adapter.ts"

const id = "generation-1"

channelContract({
  name: "${name}",
  make,
  submit: { method: "POST", path: "/generations" },
  accepted: () => ({ id, status: "queued" }),
  poll: {
    method: "GET",
    path: \`/generations/\${id}\`,
    id,
    pending: { id, status: "running" },
    finished: (image) => ({ id, status: "done", images: [image] }),
    failed: { id, status: "failed" },
  },
  rejections: [json({ error: { code: "content_policy", message: "content_policy" } }, 400)],
})
`,
})
