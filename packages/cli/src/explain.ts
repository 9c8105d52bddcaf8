import * as Cause from "effect/Cause"

const lineCharactersMax = 1_000

/** What went wrong in one line, for people: no stack. */
export const explain = (cause: Cause.Cause<unknown>): string => {
  const text = sentence(Cause.squash(cause)).replace(/\s*\n\s*/g, " ")
  return text.length > lineCharactersMax ? `${text.slice(0, lineCharactersMax)}…` : text
}

/** The message of the innermost cause. */
const reasonOf = (error: Error | object): string | undefined => {
  let at: unknown = error
  let message: string | undefined
  while (typeof at === "object" && at !== null) {
    if ("message" in at && at.message !== "") message = String(at.message)
    at = "cause" in at ? at.cause : undefined
  }
  return message
}

const sentence = (error: unknown): string => {
  if (typeof error !== "object" || error === null) return String(error)
  const message = "message" in error ? String(error.message) : ""
  const operation = "operation" in error ? String(error.operation) : undefined
  const inner = "cause" in error ? sentence(error.cause) : ""
  if (operation !== undefined && message === "")
    return `storage failed in ${operation}: ${inner || "no reason was given"}`
  // A database driver's own message names the operation; the reason is in its cause.
  if ("_tag" in error && error._tag === "SqlError")
    return `${message}: ${reasonOf(error) ?? "no reason was given"}`
  return message || inner || ("_tag" in error ? String(error._tag) : "an unknown error")
}
