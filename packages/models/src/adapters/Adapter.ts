import type { ImageChannel } from "@atelier/core"
import * as Redacted from "effect/Redacted"
import type { UpstreamHttp } from "../http/UpstreamHttp.ts"
import type { UpstreamHeaders } from "../http/UpstreamRequest.ts"

/**
 * What one entry of `channels` in the configuration gives its adapter (contract, Running it). An adapter is a
 * file of this folder whose `make` turns it into a channel: `make(settings: AdapterSettings<Options>)`.
 * Making a channel makes no network call.
 */
export interface AdapterSettings<Options extends object = object> {
  /** The channel's `id`: tasks remember it. */
  readonly channelId: string
  /** `base_url`, without a slash at its end. */
  readonly baseUrl: string
  /** `api_key`, or what `api_key_env` names. Empty where the upstream asks for none. */
  readonly apiKey: Redacted.Redacted
  /** The upstream's name of a public model, by the channel's `models`. */
  readonly upstreamModel: (publicModel: string) => string
  readonly http: UpstreamHttp["Service"]
  /** The adapter's own settings, decoded; each has a default. */
  readonly options?: Options
}

/** The shape of every adapter's `make`. */
export type MakeChannel<Options extends object = object> = (
  settings: AdapterSettings<Options>,
) => ImageChannel

/** The header of a bearer token; none if the upstream needs no key. */
export const bearerOf = ({ apiKey }: Pick<AdapterSettings, "apiKey">): UpstreamHeaders => {
  const key = Redacted.value(apiKey)
  return key === "" ? {} : { authorization: Redacted.make(`Bearer ${key}`) }
}
