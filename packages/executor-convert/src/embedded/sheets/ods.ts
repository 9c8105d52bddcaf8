import { lowered, raised, strike } from "@atelier/executor/flow"
import { openPackage, Refusal, readXml, xmlEnd, xmlStart } from "@atelier/intake/bytes"
import { readTextProperties } from "../flow/textProperties.ts"
import { OdsSheet } from "./OdsSheet.ts"
import { chartsOf } from "./odsCharts.ts"
import { opendocument, opendocumentTexts } from "./opendocument.ts"
import { SheetRows } from "./SheetRows.ts"
import type { SheetWarnings } from "./SheetWarnings.ts"
import type { SheetWriter } from "./SheetWriter.ts"

const style = opendocument.number("style:style")
const tableProperties = opendocument.number("style:table-properties")
const textProperties = opendocument.number("style:text-properties")
const trackedChanges = opendocument.number("table:tracked-changes")
const ddeLink = opendocument.number("table:dde-link")
const table = opendocument.number("table:table")

/** Reads a spreadsheet in one pass, each sheet to Markdown before the next. Throws a `Refusal`. */
export const convertOds = (bytes: Uint8Array, writer: SheetWriter, warnings: SheetWarnings): void => {
  const { archive, mainPart } = openPackage(bytes, "ods")
  const content = archive.read(mainPart)
  if (content === undefined) throw new Refusal("file_corrupt", `The spreadsheet has no part ${mainPart}.`)
  const xml = readXml(content, {
    vocabulary: opendocument,
    source: mainPart,
    isLenient: true,
    textIn: opendocumentTexts,
  })
  const charts = chartsOf(archive)
  const hiddenStyles = new Set<string>()
  const formats = new Map<string, number>()
  let styleName = ""
  for (let token = xml.next(); token !== xmlEnd; token = xml.next()) {
    if (token !== xmlStart) continue
    switch (xml.element) {
      case style:
        styleName = xml.attribute("style:name") ?? ""
        break
      case tableProperties:
        if (xml.attribute("table:display") === "false") hiddenStyles.add(styleName)
        break
      case textProperties:
        formats.set(styleName, readTextProperties(xml).bits & (raised | lowered | strike))
        break
      // Deleted cells, and copies of cells of other files.
      case trackedChanges:
      case ddeLink:
        xml.skip()
        break
      case table: {
        if (hiddenStyles.has(xml.attribute("table:style-name") ?? "")) warnings.hiddenSheet()
        const name = xml.attribute("table:name") ?? ""
        writer.sheet(name)
        const rows = new SheetRows(name, writer.bytesMax)
        const sheet = new OdsSheet(xml, rows, { charts, formats }, warnings)
        sheet.read()
        writer.rows(rows)
        for (const shape of sheet.shapes) writer.inline(shape)
      }
    }
  }
}
