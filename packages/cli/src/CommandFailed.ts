import * as Schema from "effect/Schema"

/** Exit codes by kind (contract, Endpoints and commands). `stopped`: by Ctrl-C, as shells number it. */
export const exitCodes = { done: 0, failed: 1, usage: 2, refused: 3, unreachable: 4, stopped: 130 } as const

/** A command that could not do what was asked; `message` is the one line that its user reads. */
export class CommandFailed extends Schema.TaggedError<CommandFailed>()("CommandFailed", {
  message: Schema.String,
  /** One of `exitCodes`; `failed` if absent. */
  exitCode: Schema.optionalKey(Schema.Number),
}) {}

/** What the user gave cannot be used; nothing was sent or paid. */
export const wrongUsage = (message: string): CommandFailed =>
  new CommandFailed({ message, exitCode: exitCodes.usage })
