import type { WirePlugin, WireSetting } from "@atelier/api"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"

/** What the operator decides about the server. */
export interface ServerSettings {
  /** How clients reach the server. */
  readonly publicUrl: string
  /** Where result links start, without a slash at the end: `{mediaUrl}/media/…`. */
  readonly mediaUrl: string
  /** Bearer token of `/admin/v1`; null: the admin API is off and every path of it 404. */
  readonly adminToken: Redacted.Redacted | null
  /** Folder for uploads while they arrive; null: the system's temporary folder. */
  readonly spoolDirectory: string | null
  /** Whether `POST /v1/images/generations` takes `Idempotency-Key`; else the header is ignored (image-tasks 4.5). */
  readonly synchronousIdempotency: boolean
  /** Origins of web pages that may call `/v1` (contract, Later decisions). */
  readonly corsOrigins: ReadonlyArray<string>
  /** The settings in force, for operators. */
  readonly inForce: () => ReadonlyArray<WireSetting>
  /** What plugins add, for operators. */
  readonly plugins: Effect.Effect<ReadonlyArray<WirePlugin>>
  /** The folder of the built web pages; null: there are none, and `/console` and `/account` are 404. */
  readonly pages: Effect.Effect<URL, Error> | null
  /** Whether customers have a page of their own at `/account`. */
  readonly accountPage: boolean
}

export class Settings extends Context.Service<Settings, ServerSettings>()("@atelier/http/ServerSettings") {}
