import { DocumentWarnings, many } from "@atelier/executor/flow"
import type { Warnings } from "@atelier/executor/parsing"

/** What the result of a workbook lacks, or holds although it is hidden in the workbook. */
export class SheetWarnings extends DocumentWarnings {
  readonly #warnings: Warnings

  constructor(warnings: Warnings) {
    super(warnings)
    this.#warnings = warnings
  }

  hiddenSheet(): void {
    this.#warnings.add(
      "hidden_sheets",
      (count) => `${many(count, "hidden sheet is", "hidden sheets are")} part of the result.`,
    )
  }

  /** Of one sheet. */
  hiddenCells(): void {
    this.#warnings.add(
      "hidden_cells",
      (count) => `Hidden rows or columns of ${many(count, "sheet", "sheets")} are part of the result.`,
    )
  }

  formulaWithoutValue(): void {
    this.#warnings.add(
      "formulas_without_values",
      (count) =>
        `${many(count, "formula has", "formulas have")} no stored value and left an empty cell; a spreadsheet program that opens and saves the file stores the values.`,
    )
  }
}
