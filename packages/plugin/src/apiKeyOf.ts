import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { SettingRefused } from "./SettingRefused.ts"

/** `api_key`, or what `api_key_env` names; empty where neither is given. `setting` names what they belong to. */
export const apiKeyOf = (
  setting: string,
  { api_key, api_key_env }: { readonly api_key?: string; readonly api_key_env?: string },
): Effect.Effect<Redacted.Redacted, SettingRefused> => {
  if (api_key !== undefined && api_key_env !== undefined) {
    return Effect.fail(new SettingRefused({ setting, problem: "give api_key or api_key_env, not both" }))
  }
  if (api_key_env === undefined) return Effect.succeed(Redacted.make(api_key ?? ""))
  const value = process.env[api_key_env]
  return value === undefined || value === ""
    ? Effect.fail(
        new SettingRefused({ setting, problem: `the environment variable ${api_key_env} is not set` }),
      )
    : Effect.succeed(Redacted.make(value))
}
