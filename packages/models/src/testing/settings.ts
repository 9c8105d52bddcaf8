import type { ImageChannel, ImageRequest, TaskId, UpstreamError } from "@atelier/core"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import type { AdapterSettings } from "../adapters/Adapter.ts"
import { UpstreamHttp } from "../http/UpstreamHttp.ts"

/** The key of every channel under test: it may be in `authorization`, and nowhere else. */
export const secret = "sk-secret-0123456789"

/** Settings of a channel at a base URL; upstream names are `up-` and the public name. */
export const settingsAt = <Options extends object>(baseUrl: string, options?: Options) =>
  Effect.map(
    UpstreamHttp,
    (http): AdapterSettings<Options> => ({
      channelId: "under-test",
      baseUrl,
      apiKey: Redacted.make(secret),
      upstreamModel: (model) => `up-${model}`,
      http,
      ...(options === undefined ? {} : { options }),
    }),
  )

/** A request as the models make them. */
export const requestWith = (more: Partial<ImageRequest> = {}): ImageRequest => ({
  model: "gen-image-2",
  prompt: "a lighthouse",
  n: 1,
  width: 1024,
  height: 1024,
  size: "1:1",
  resolution: "1K",
  quality: "medium",
  seed: null,
  images: [],
  parentJobId: null,
  extra: {},
  callbackUrl: null,
  ...more,
})

export const reference: TaskId = "imgtask_01jc0000000000000000000000"

/** Runs a channel as a first submission. */
export const generate = (channel: ImageChannel, more: Partial<ImageRequest> = {}) =>
  channel.generate({
    reference,
    request: requestWith(more),
    upstreamId: null,
    onAccepted: () => Effect.void,
    onProgress: () => Effect.void,
  })

/** What of an error decides. */
export const verdictOf = ({ reason, retryAfterMillis }: UpstreamError) =>
  retryAfterMillis === undefined ? [reason] : [reason, retryAfterMillis]

/** Runs with the client that may reach loopback. `logged` collects everything that is logged. */
export const withClient = <A, E>(
  run: Effect.Effect<A, E, UpstreamHttp | Scope.Scope>,
  logged: Array<string> = [],
) =>
  Effect.scoped(run).pipe(
    Effect.provide(
      Layer.provide(
        UpstreamHttp.layer({ allowPrivate: ["127.0.0.0/8", "::1"] }),
        SecureRandom.layerWebCrypto,
      ),
    ),
    Effect.provide(
      Logger.layer([
        Logger.make(({ logLevel, message }) => void logged.push(`${logLevel} ${JSON.stringify(message)}`)),
      ]),
    ),
  )
