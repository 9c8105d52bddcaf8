import { Refusal } from "@atelier/intake/bytes"
import { notebookLimits } from "./Limits.ts"

/** The parts of a notebook that are read. */
export interface Notebook {
  /** Language of the code cells, lower case; empty if the notebook does not say. */
  readonly language: string
  readonly cells: ReadonlyArray<Cell>
}

export interface Cell {
  readonly type: "markdown" | "code" | "raw"
  readonly source: string
  readonly attachments: number
  /** Only code has any. */
  readonly outputs: ReadonlyArray<Output>
}

export interface Output {
  /** Markdown as it is. */
  readonly markdown?: string
  /** Plain text, as a terminal gets it. */
  readonly text?: string
  readonly hasImage?: boolean
  readonly hasHtml?: boolean
}

/**
 * Reads the JSON of a notebook of format 4, as far as it is used here. Throws a `Refusal`:
 * `file_type_not_accepted` for another format, `invalid_file` for too many cells, `file_corrupt` for anything
 * that is not what it must be, with its place.
 */
export const readNotebook = (json: unknown): Notebook => {
  const notebook = objectAt(json, "the notebook")
  requireFormat(notebook["nbformat"])
  const cells = listAt(notebook["cells"], "cells")
  const { notebook_cells_max } = notebookLimits
  if (cells.length > notebook_cells_max) {
    throw new Refusal(
      "invalid_file",
      `The notebook has ${cells.length} cells; the limit notebook_cells_max is ${notebook_cells_max}.`,
    )
  }
  return {
    language: languageOf(notebook["metadata"]),
    cells: cells.map((cell, index) => readCell(cell, `cells[${index}]`)),
  }
}

const acceptedFormat = 4

const requireFormat = (format: unknown): void => {
  if (format === acceptedFormat) return
  if (format === undefined) throw new Refusal("file_corrupt", "The file is no notebook: it has no nbformat.")
  if (!Number.isSafeInteger(format)) throw wrong(format, "nbformat", "a whole number")
  throw new Refusal(
    "file_type_not_accepted",
    `The notebook has nbformat ${format}; accepted is ${acceptedFormat}. Save it in the format of a current Jupyter and upload it again.`,
  )
}

const languageOf = (metadata: unknown): string => {
  const { language_info, kernelspec } = optionalObjectAt(metadata, "metadata")
  const { name } = optionalObjectAt(language_info, "metadata.language_info")
  const { language } = optionalObjectAt(kernelspec, "metadata.kernelspec")
  const found = name ?? language ?? ""
  return typeof found === "string" ? found.toLowerCase() : ""
}

const readCell = (json: unknown, where: string): Cell => {
  const cell = objectAt(json, where)
  const type = cell["cell_type"]
  if (type !== "markdown" && type !== "code" && type !== "raw") {
    throw wrong(type, `${where}.cell_type`, '"code", "markdown" or "raw"')
  }
  const outputs = type === "code" ? listAt(cell["outputs"] ?? [], `${where}.outputs`) : []
  return {
    type,
    source: textAt(cell["source"], `${where}.source`),
    attachments: Object.keys(optionalObjectAt(cell["attachments"], `${where}.attachments`)).length,
    outputs: outputs.map((output, index) => readOutput(output, `${where}.outputs[${index}]`)),
  }
}

const readOutput = (json: unknown, where: string): Output => {
  const output = objectAt(json, where)
  switch (output["output_type"]) {
    case "stream":
      return { text: textAt(output["text"], `${where}.text`) }
    case "display_data":
    case "execute_result":
      return readData(objectAt(output["data"], `${where}.data`), `${where}.data`)
    case "error":
      return { text: readError(output, where) }
    default:
      throw wrong(
        output["output_type"],
        `${where}.output_type`,
        '"display_data", "error", "execute_result" or "stream"',
      )
  }
}

/** One output in several formats. */
const readData = (data: JsonObject, where: string): Output => {
  const markdown = data["text/markdown"]
  const plain = data["text/plain"]
  return {
    ...(markdown !== undefined
      ? { markdown: textAt(markdown, `${where}["text/markdown"]`) }
      : plain !== undefined
        ? { text: textAt(plain, `${where}["text/plain"]`) }
        : {}),
    hasImage: Object.keys(data).some((type) => type.startsWith("image/")),
    hasHtml: data["text/html"] !== undefined,
  }
}

const readError = (error: JsonObject, where: string): string => {
  const lines = listAt(error["traceback"] ?? [], `${where}.traceback`)
  if (lines.length > 0) {
    return lines.map((line, index) => stringAt(line, `${where}.traceback[${index}]`)).join("\n")
  }
  return `${stringAt(error["ename"], `${where}.ename`)}: ${stringAt(error["evalue"], `${where}.evalue`)}`
}

type JsonObject = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const objectAt = (value: unknown, where: string): JsonObject => {
  if (!isObject(value)) throw wrong(value, where, "an object")
  return value
}

const optionalObjectAt = (value: unknown, where: string): JsonObject => objectAt(value ?? {}, where)

const listAt = (value: unknown, where: string): ReadonlyArray<unknown> => {
  if (!Array.isArray(value)) throw wrong(value, where, "a list")
  return value
}

const stringAt = (value: unknown, where: string): string => {
  if (typeof value !== "string") throw wrong(value, where, "a string")
  return value
}

/** Text is a string, or a list of strings that are its lines with their ends. */
const textAt = (value: unknown, where: string): string => {
  if (typeof value === "string") return value
  if (!Array.isArray(value)) throw wrong(value, where, "a string or a list of strings")
  return value.map((line, index) => stringAt(line, `${where}[${index}]`)).join("")
}

const charactersShownMax = 40

const wrong = (value: unknown, where: string, wanted: string): Refusal => {
  const found =
    value === undefined
      ? "missing"
      : isObject(value)
        ? "an object"
        : Array.isArray(value)
          ? "a list"
          : JSON.stringify(typeof value === "string" ? value.slice(0, charactersShownMax) : value)
  return new Refusal("file_corrupt", `In the notebook, ${where} is ${found}; it must be ${wanted}.`)
}
