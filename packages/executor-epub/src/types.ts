import type { HtmlAttributes } from "@atelier/executor/html"

/** Attributes that books are read by, beside those that HTML is converted by. */
export const bookAttributes = ["epub:type", "id", "name"]

/** What an element says that it is, by EPUB's vocabulary and by its role. */
export const typesOf = (attributes: HtmlAttributes): ReadonlyArray<string> => {
  const types = attributes.get("epub:type")
  const role = attributes.get("role")
  if (types === undefined && role === undefined) return none
  return `${types ?? ""} ${role ?? ""}`.split(/\s+/)
}

const none: ReadonlyArray<string> = []
