import {
  CloudflareMarkdown,
  type Converter,
  DoclingServe,
  EmbeddedConverter,
  Tika,
} from "@atelier/executor-convert"
import type { ParsingPool } from "@atelier/intake"
import { apiKeyOf, SettingRefused } from "@atelier/plugin"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as Effect from "effect/Effect"
import type { HttpClient } from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import type { Converter as Setting } from "./ConfigFile.ts"

const setting = "converter"

/** The converter of file-md-json that the configuration names. */
export const make = Effect.fnUntraced(function* (
  configured: Setting = { adapter: "embedded" },
): Effect.fn.Return<Converter, SettingRefused, ParsingPool | Scope.Scope> {
  switch (configured.adapter) {
    case "embedded":
      return yield* EmbeddedConverter.make
    case "cloudflare": {
      const apiKey = yield* apiKeyOf(setting, configured)
      if (Redacted.value(apiKey) === "") {
        return yield* new SettingRefused({ setting, problem: "cloudflare needs api_key or api_key_env" })
      }
      const { account_id: accountId, base_url } = configured
      return yield* overHttp(
        CloudflareMarkdown.make({ accountId, apiKey, baseUrl: base_url && withoutSlash(base_url) }),
      )
    }
    case "docling-serve": {
      const apiKey = yield* apiKeyOf(setting, configured)
      return yield* overHttp(DoclingServe.make({ baseUrl: withoutSlash(configured.base_url), apiKey }))
    }
    case "tika":
      return yield* overHttp(Tika.make({ baseUrl: withoutSlash(configured.base_url) }))
  }
})

/** The client is loaded only where a converter asks for it. */
const overHttp = <R>(converter: Effect.Effect<Converter, never, R>) =>
  Effect.flatMap(
    Layer.build(NodeHttpClient.layerUndici),
    (context): Effect.Effect<Converter, never, Exclude<R, HttpClient>> => Effect.provide(converter, context),
  )

const withoutSlash = (url: string): string => url.replace(/\/+$/, "")
