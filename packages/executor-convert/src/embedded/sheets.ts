import { extensionOf } from "../formats.ts"
import { warnOfNoText } from "../noText.ts"
import type { ConvertFormat } from "./Format.ts"
import { SheetNotices } from "./sheets/SheetNotices.ts"
import { SheetWriter } from "./sheets/SheetWriter.ts"

/** XLSX, XLS and ODS workbooks: a heading and tables for each sheet. Throws a `Refusal`. */
export const convert: ConvertFormat = async ({ bytes, filename, markdown, warnings }) => {
  const extension = extensionOf(filename)
  const writer = new SheetWriter(markdown)
  const notices = new SheetNotices(warnings)
  if (extension === ".xls") (await import("./sheets/xls.ts")).convertXls(bytes, writer, notices)
  else if (extension === ".ods") (await import("./sheets/ods.ts")).convertOds(bytes, writer, notices)
  else (await import("./sheets/xlsx.ts")).convertXlsx(bytes, writer, notices)
  if (!writer.hasText) warnOfNoText(extension ?? ".xlsx", warnings)
}
