import { acceptedExtensionOf } from "../formats.ts"
import { warnOfNoText } from "../noText.ts"
import type { ConvertFormat } from "./Format.ts"
import { SheetWarnings } from "./sheets/SheetWarnings.ts"
import { SheetWriter } from "./sheets/SheetWriter.ts"

/** XLSX, XLS and ODS workbooks: a heading and tables for each sheet. Throws a `Refusal`. */
export const convert: ConvertFormat = async ({ bytes, filename, markdown, warnings }) => {
  const extension = acceptedExtensionOf(filename)
  const writer = new SheetWriter(markdown)
  const sheetWarnings = new SheetWarnings(warnings)
  if (extension === ".xls") (await import("./sheets/xls.ts")).convertXls(bytes, writer, sheetWarnings)
  else if (extension === ".ods") (await import("./sheets/ods.ts")).convertOds(bytes, writer, sheetWarnings)
  else (await import("./sheets/xlsx.ts")).convertXlsx(bytes, writer, sheetWarnings)
  if (!writer.hasText) warnOfNoText(extension ?? ".xlsx", warnings)
}
