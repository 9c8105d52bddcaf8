import * as Schema from "effect/Schema"

/** A setting is wrong: its name, and what is wrong with its value and what is allowed. */
export class SettingRefused extends Schema.TaggedError<SettingRefused>()("SettingRefused", {
  setting: Schema.String,
  problem: Schema.String,
}) {
  override get message(): string {
    return `${this.setting}: ${this.problem}`
  }
}
