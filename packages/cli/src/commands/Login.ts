import { text } from "node:stream/consumers"
import * as Prompt from "effect/cli/Prompt"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { Caller } from "../Caller.ts"
import { CommandFailed, exitCodes, wrongUsage } from "../CommandFailed.ts"
import { failureOf } from "../failureOf.ts"
import {
  addressOf,
  defaultUrl,
  given,
  keepLogin,
  type Login,
  loginFile,
  removeLogin,
  type Target,
} from "../Login.ts"
import { print } from "../Output.ts"

/** Asks for or takes an address and a key, checks them with one request, and keeps them for this account alone. */
export const login = Effect.fnUntraced(function* (input: Target & { readonly json: boolean }) {
  const url = yield* attempting(addressOf)(given(input.url, "ATELIER_URL") ?? (yield* askAddress))
  const apiKey = (given(input.key, "ATELIER_API_KEY") ?? (yield* askKey)).trim()
  if (apiKey === "") {
    return yield* wrongUsage("expected an API key: on a terminal, in --key, or on standard input")
  }
  const kept: Login = { url, apiKey }
  const { atelier } = new Caller(kept, new AbortController().signal)
  yield* Effect.tryPromise({
    // The cheapest request that needs a key.
    try: () => atelier.tasks.list({ pageSize: 1 }).next(),
    catch: (error) => failureOf(error, url),
  })
  yield* attempting(keepLogin)(kept)
  yield* print(input.json, { url, file: loginFile() }, () => [
    `Logged in at ${url}; kept in ${loginFile()}, which only this account can read.`,
    ...["ATELIER_URL", "ATELIER_API_KEY"]
      .filter((name) => process.env[name])
      .map((name) => `While ${name} is set, it is used in place of the login.`),
  ])
})

export const logout = Effect.fnUntraced(function* ({ json }: { readonly json: boolean }) {
  const isRemoved = removeLogin()
  yield* print(json, { removed: isRemoved }, () => [isRemoved ? "Logged out." : "There was no login."])
})

const attempting =
  <A, B>(use: (input: A) => B) =>
  (input: A): Effect.Effect<B, CommandFailed> =>
    Effect.try({ try: () => use(input), catch: (error) => failureOf(error, "") })

const isTerminal = process.stdin.isTTY === true

const asked = <A>(prompt: Prompt.Prompt<A>) =>
  Effect.mapError(
    Prompt.run(prompt),
    () => new CommandFailed({ message: "stopped", exitCode: exitCodes.stopped }),
  )

const askAddress = isTerminal
  ? asked(Prompt.String({ message: "Address of the server", default: defaultUrl }))
  : Effect.succeed(defaultUrl)

const askKey = isTerminal
  ? Effect.map(asked(Prompt.Password({ message: "API key" })), Redacted.value)
  : Effect.promise(() => text(process.stdin))
