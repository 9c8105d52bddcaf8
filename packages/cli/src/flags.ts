import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"

/**
 * Handlers are imported when their command runs: a server loads no client, and a question to a server loads no
 * database.
 */
export const lazily = <M, A, E, R>(load: () => Promise<M>, use: (module: M) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(Effect.promise(load), use)

export const json = Flag.Boolean("json").pipe(
  Flag.withDescription("Print JSON for machines"),
  Flag.withDefault(false),
)

export const optionalText = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.optional)

/** Which server a caller's command asks, and with which key. */
export const target = {
  url: optionalText("url", "Server; else ATELIER_URL, else the login, else http://127.0.0.1:8787"),
  key: optionalText("key", "API key; else ATELIER_API_KEY, else the login"),
}
