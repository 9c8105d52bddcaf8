import { readXml, xmlEnd, xmlStart, xmlVocabulary, type ZipArchive } from "@atelier/intake/bytes"

const manifest = "META-INF/manifest.xml"

const vocabulary = xmlVocabulary({ m: ["urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"] }, [
  "m:file-entry",
])

/** The folders of the embedded objects that are charts, without a slash at the end. */
export const chartsOf = (archive: ZipArchive): ReadonlySet<string> => {
  const charts = new Set<string>()
  const bytes = archive.read(manifest)
  if (bytes === undefined) return charts
  const xml = readXml(bytes, { vocabulary, source: manifest, isLenient: true, textIn: [] })
  for (let token = xml.next(); token !== xmlEnd; token = xml.next()) {
    if (token !== xmlStart || xml.element === 0) continue
    const type = xml.attribute("m:media-type") ?? ""
    if (type.startsWith("application/vnd.oasis.opendocument.chart")) {
      charts.add(folderOf(xml.attribute("m:full-path") ?? ""))
    }
  }
  return charts
}

/** `./Object 1` and `Object 1/` are one. */
export const folderOf = (path: string): string => path.replace(/^\.\//, "").replace(/\/$/, "")
