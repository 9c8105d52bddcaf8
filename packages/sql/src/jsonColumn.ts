import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaJITCompiler from "effect/schema/SchemaJITCompiler"

/**
 * Reads a column of JSON by a schema, as it is: fields that the schema does not know stay. What does not fit is a
 * defect that names table, column and row, and repeats no value: only this package writes the tables, so that the row
 * was damaged, or written by another release. The check is compiled (docs/decisions/0020).
 */
export const jsonColumn = <A>(table: string, column: string, schema: Schema.Codec<A>) => {
  SchemaJITCompiler.enable(schema.ast)
  const fits = Schema.is(schema)
  return (text: string, row: string): A => {
    const value = parse(text)
    if (fits(value)) return value
    throw new Error(`stored row: ${table}.${column} of ${row}: ${problemOf(schema, value)}`)
  }
}

/** Nothing that JSON knows, where the text is none. */
const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const format = SchemaIssue.makeFormatterStandardSchemaV1()

const problemOf = <A>(schema: Schema.Codec<A>, value: unknown): string => {
  if (value === undefined) return "not JSON"
  const decoded = Schema.decodeUnknownResult(schema)(value)
  if (decoded._tag === "Success") return "not of its schema"
  const [issue] = format(decoded.failure.issue).issues
  const path = (issue?.path ?? []).map((part) => String(typeof part === "object" ? part.key : part))
  return `${path.join(".")} ${issue?.message ?? "is not of its schema"}`.trim()
}
