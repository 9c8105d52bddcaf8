import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SettingError } from "./SettingError.ts"

export type Environment = { readonly [name: string]: string | undefined }

/** One variable: what is allowed, in words, and the value that it stands for. */
export interface Variable<A> {
  readonly name: string
  readonly allowed: string
  readonly schema: Schema.Decoder<A>
  /** Secrets are never shown. */
  readonly secret?: boolean
}

export const matching = (pattern: RegExp) => Schema.String.check(Schema.isPattern(pattern))

/** The variable's value; none where it is unset or empty. */
export const readVariable = <A>(
  environment: Environment,
  variable: Variable<A>,
): Effect.Effect<A | undefined, SettingError> => {
  const text = environment[variable.name]
  if (text === undefined || text === "") return Effect.succeed(undefined)
  return Schema.decodeUnknownEffect(variable.schema)(text).pipe(
    Effect.mapError(() => {
      const problem = `expected ${variable.allowed}, got ${shown(text, variable)}`
      return new SettingError({ setting: variable.name, problem })
    }),
  )
}

const shownCharactersMax = 100

/** The value as it may be shown: passwords in URLs are left out. */
const shown = (text: string, { secret = false }: { readonly secret?: boolean }): string => {
  if (secret) return "something else (not shown)"
  const harmless = text.replace(/(:\/\/)[^/@]*@/, "$1***@").replace(/\?.*$/s, "?…")
  return JSON.stringify(
    harmless.length > shownCharactersMax ? `${harmless.slice(0, shownCharactersMax)}…` : harmless,
  )
}
