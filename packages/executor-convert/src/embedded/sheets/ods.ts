import { escapeMarkdown } from "@atelier/executor/parsing"
import { openPackage, Refusal, readXml, xmlEnd, xmlStart } from "@atelier/intake/bytes"
import type { FormatInput } from "../Format.ts"
import { OdsSheet } from "./OdsSheet.ts"
import { chartsOf } from "./odsCharts.ts"
import { opendocument, opendocumentTexts } from "./opendocument.ts"
import { SheetNotices } from "./SheetNotices.ts"
import { SheetRows } from "./SheetRows.ts"
import { writeSheet } from "./writeSheet.ts"

const style = opendocument.number("style:style")
const tableProperties = opendocument.number("style:table-properties")
const trackedChanges = opendocument.number("table:tracked-changes")
const ddeLink = opendocument.number("table:dde-link")
const table = opendocument.number("table:table")

/** Reads a spreadsheet in one pass, each sheet to Markdown before the next. Throws a `Refusal`. */
export const convertOds = ({ bytes, markdown, warnings }: FormatInput): void => {
  const { archive, mainPart } = openPackage(bytes, "ods")
  const content = archive.read(mainPart)
  if (content === undefined) throw new Refusal("file_corrupt", `The spreadsheet has no part ${mainPart}.`)
  const xml = readXml(content, { vocabulary: opendocument, source: mainPart, textIn: opendocumentTexts })
  const charts = chartsOf(archive)
  const notices = new SheetNotices(warnings)
  const hiddenStyles = new Set<string>()
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
      // Deleted cells, and copies of cells of other files.
      case trackedChanges:
      case ddeLink:
        xml.skip()
        break
      case table: {
        if (hiddenStyles.has(xml.attribute("table:style-name") ?? "")) notices.hiddenSheet()
        const name = xml.attribute("table:name") ?? ""
        markdown.heading(2, escapeMarkdown(name))
        const rows = new SheetRows(name, markdown.bytesMax)
        const sheet = new OdsSheet(xml, rows, charts, notices)
        sheet.read()
        writeSheet(rows, markdown)
        for (const shape of sheet.shapes) markdown.paragraph(shape)
      }
    }
  }
}
