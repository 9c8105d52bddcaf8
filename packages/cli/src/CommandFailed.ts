import * as Schema from "effect/Schema"

/** A command that could not do what was asked; `message` is the one line that its user reads. */
export class CommandFailed extends Schema.TaggedError<CommandFailed>()("CommandFailed", {
  message: Schema.String,
}) {}
