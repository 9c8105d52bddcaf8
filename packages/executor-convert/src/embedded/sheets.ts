import { extensionOf } from "../formats.ts"
import type { ConvertFormat } from "./Format.ts"

/** XLSX, XLS and ODS workbooks: a heading and tables for each sheet. Throws a `Refusal`. */
export const convert: ConvertFormat = async (input) => {
  switch (extensionOf(input.filename)) {
    case ".xls":
      return (await import("./sheets/xls.ts")).convertXls(input)
    case ".ods":
      return (await import("./sheets/ods.ts")).convertOds(input)
    default:
      return (await import("./sheets/xlsx.ts")).convertXlsx(input)
  }
}
