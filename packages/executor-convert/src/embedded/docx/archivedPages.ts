import type { Relationship, ZipArchive } from "@atelier/intake/bytes"
import { convertLimits } from "../../Limits.ts"

/**
 * The HTML of the web pages in a package that are archived with their pictures in one file (MHTML, RFC 2557), by their
 * parts. Without those that cannot be read, and those with which they would be too large together.
 */
export const archivedPages = async (
  archive: ZipArchive,
  relationships: ReadonlyMap<string, Relationship>,
): Promise<ReadonlyMap<string, string>> => {
  const pages = new Map<string, string>()
  const targets = [...relationships.values()].flatMap(({ external, target }) =>
    !external && /\.mht(?:ml)?$/i.test(target) ? [target] : [],
  )
  let left = convertLimits.archived_pages_bytes_max
  for (const target of new Set(targets)) {
    const bytes = archive.read(target)
    if (bytes === undefined || bytes.length > left) continue
    left -= bytes.length
    const html = await htmlOf(bytes)
    if (html !== undefined) pages.set(target, html)
  }
  return pages
}

const htmlOf = async (bytes: Uint8Array): Promise<string | undefined> => {
  // Only few documents have one.
  const { default: PostalMime } = await import("postal-mime")
  return PostalMime.parse(bytes).then(
    ({ html }) => html,
    () => undefined,
  )
}
