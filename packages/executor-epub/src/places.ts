/** A place in a book: a file of its archive, and the id of an element, empty for the file's start. */
export interface Place {
  readonly path: string
  readonly id: string
}

/** Where a reference in the file `base` leads; undefined if out of the book. */
export const placeOf = (base: string, reference: string): Place | undefined => {
  const written = reference.trim()
  if (/^(?:[a-z][a-z0-9+.-]*:|\/)/i.test(written)) return undefined
  const [file = "", id = ""] = written.split("#", 2)
  return { path: file === "" ? base : resolve(base, decoded(file)), id: decoded(id) }
}

/** One text for each place; no id holds a space. */
export const keyOf = ({ path, id }: Place): string => `${id} ${path}`

const decoded = (written: string): string => {
  try {
    return decodeURIComponent(written)
  } catch {
    return written
  }
}

const resolve = (base: string, file: string): string => {
  const names = base.split("/").slice(0, -1)
  for (const name of file.replace(/\?.*$/, "").split("/")) {
    if (name === "..") names.pop()
    else if (name !== "." && name !== "") names.push(name)
  }
  return names.join("/")
}
