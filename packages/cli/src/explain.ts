import * as Cause from "effect/Cause"

const lineCharactersMax = 1_000

/** What went wrong in one line, for people: no stack. */
export const explain = (cause: Cause.Cause<unknown>): string => {
  const text = sentence(Cause.squash(cause)).replace(/\s*\n\s*/g, " ")
  return text.length > lineCharactersMax ? `${text.slice(0, lineCharactersMax)}…` : text
}

const sentence = (error: unknown): string => {
  if (typeof error !== "object" || error === null) return String(error)
  const message = "message" in error ? String(error.message) : ""
  const operation = "operation" in error ? String(error.operation) : undefined
  const inner = "cause" in error ? sentence(error.cause) : ""
  if (operation !== undefined)
    return `storage failed in ${operation}: ${inner || message || "no reason was given"}`
  return message || inner || ("_tag" in error ? String(error._tag) : "an unknown error")
}
