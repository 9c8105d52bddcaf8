import * as Schema from "effect/Schema"

/** A move from SQLite to Postgres that must not be made; `message` says why, and what to do. */
export class MoveRefused extends Schema.TaggedError<MoveRefused>()("MoveRefused", {
  /** The side that the refusal concerns. */
  side: Schema.Literals(["source", "destination"]),
  message: Schema.String,
}) {}
