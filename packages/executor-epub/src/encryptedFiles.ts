import { readXml, xmlClose, xmlEnd, xmlStart, xmlVocabulary, type ZipArchive } from "@atelier/intake/bytes"
import { placeOf } from "./places.ts"

const vocabulary = xmlVocabulary({ e: ["http://www.w3.org/2001/04/xmlenc#"] }, [
  "e:EncryptedData",
  "e:EncryptionMethod",
  "e:CipherReference",
])
const [encryptedData, encryptionMethod, cipherReference] = [
  vocabulary.number("e:EncryptedData"),
  vocabulary.number("e:EncryptionMethod"),
  vocabulary.number("e:CipherReference"),
]

const source = "META-INF/encryption.xml"

/** Fonts are made unusable outside of their book; anyone can read the rest. */
const hidesFonts = /^http:\/\/(?:www\.idpf\.org\/2008\/embedding|ns\.adobe\.com\/pdf\/enc#RC)$/

/** The files that a book says are encrypted (EPUB OCF, encryption.xml), fonts apart. Throws `file_corrupt`. */
export const encryptedFiles = (archive: ZipArchive): ReadonlySet<string> => {
  const files = new Set<string>()
  const bytes = archive.read(source)
  if (bytes === undefined) return files
  const xml = readXml(bytes, { vocabulary, source, isLenient: true })
  let method: string | undefined
  for (let token = xml.next(); token !== xmlEnd; token = xml.next()) {
    if (token === xmlClose && xml.element === encryptedData) method = undefined
    if (token !== xmlStart) continue
    // A key in it states how it is encrypted itself, behind.
    if (xml.element === encryptionMethod) method ??= xml.attribute("Algorithm") ?? ""
    if (xml.element !== cipherReference || hidesFonts.test(method ?? "")) continue
    const place = placeOf("", xml.attribute("URI") ?? "")
    if (place !== undefined) files.add(archive.find(place.path) ?? place.path)
  }
  return files
}
