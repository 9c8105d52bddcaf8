import { readdirSync, readFileSync } from "node:fs"
import { extname, join } from "node:path"
import {
  inspectXls,
  openPackage,
  openZip,
  type PackageFormat,
  Refusal,
  verifyPackage,
} from "@atelier/intake/bytes"
import JSZip from "jszip"

/** One of the documents that `scripts/fixtures.ts` makes. */
interface Fixture {
  readonly file: string
  /** What stands before the first dot: of a refused document the code with which it is refused. */
  readonly code: string
  /** Lower case, without its dot. */
  readonly extension: string
  readonly bytes: Buffer
}

type Folder = "accepted" | "refused"

const folderOf = (name: Folder): string => join(import.meta.dirname, "fixtures", name)

export const fixtures = (folder: Folder): ReadonlyArray<Fixture> => {
  const path = folderOf(folder)
  return readdirSync(path)
    .toSorted()
    .map((file) => ({
      file,
      code: file.slice(0, file.indexOf(".")),
      extension: extname(file).slice(1),
      bytes: readFileSync(join(path, file)),
    }))
}

const isPackageFormat = (extension: string): extension is PackageFormat =>
  ["pptx", "docx", "xlsx", "odt", "ods"].includes(extension)

/** Checks a document as an upload is checked, by its extension. Throws a `Refusal`. */
export const check = (bytes: Uint8Array, extension: string): void => {
  if (extension === "xls") inspectXls(bytes)
  else if (isPackageFormat(extension)) verifyPackage(openPackage(bytes, extension))
  else throw new Error(`There is no check for ${extension}.`)
}

/** What `work` refuses; undefined if it does not. Throws what is no `Refusal`. */
export const refusalOf = (work: () => unknown): Refusal | undefined => {
  try {
    work()
    return undefined
  } catch (error) {
    if (Refusal.is(error)) return error
    throw error
  }
}

/** The bytes of an accepted fixture. */
export const fixture = (file: string): Buffer => readFileSync(join(folderOf("accepted"), file))

/** A fixture with some of its parts replaced or added. */
export const withParts = async (
  file: string,
  parts: Readonly<Record<string, string | Buffer>>,
): Promise<Buffer> => {
  const archive = new JSZip()
  const source = openZip(fixture(file))
  for (const name of source.names) archive.file(name, source.read(name) ?? "", { createFolders: false })
  for (const [name, data] of Object.entries(parts)) archive.file(name, data, { createFolders: false })
  return archive.generateAsync({ type: "nodebuffer", compression: "DEFLATE" })
}
