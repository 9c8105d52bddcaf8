import * as Schema from "effect/Schema"

/** A setting that refuses the start: its name, and what is wrong with its value and what is allowed. */
export class SettingError extends Schema.TaggedError<SettingError>()("SettingError", {
  setting: Schema.String,
  problem: Schema.String,
  /** The setting may be right: what it names does not answer at present. */
  databaseIsAway: Schema.optionalKey(Schema.Boolean),
}) {
  override get message(): string {
    return `${this.setting}: ${this.problem}`
  }
}
