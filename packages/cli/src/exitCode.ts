import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { CommandFailed, exitCodes } from "./CommandFailed.ts"
import { explain } from "./explain.ts"

/** Runs a command to its end: 0, or the code of its kind after one line that says what went wrong. */
export const exitCode = async (command: Effect.Effect<void, unknown>): Promise<number> => {
  const exit = await Effect.runPromiseExit(command)
  if (Exit.isSuccess(exit)) return exitCodes.done
  const error = Cause.squash(exit.cause)
  // Help was asked for by an empty command line, or is named by a line that was printed already.
  if (isShowHelp(error)) return error.errors.length === 0 ? exitCodes.done : exitCodes.usage
  console.error(`atelier: ${explain(exit.cause)}`)
  return (error instanceof CommandFailed ? error.exitCode : undefined) ?? exitCodes.failed
}

const isShowHelp = (error: unknown): error is { readonly errors: ReadonlyArray<unknown> } =>
  typeof error === "object" &&
  error !== null &&
  "_tag" in error &&
  error._tag === "ShowHelp" &&
  "errors" in error &&
  Array.isArray(error.errors)
