import { converted, refusalOf } from "../documents.ts"

export const markdownOf = async (pdf: Uint8Array): Promise<string> => (await converted(pdf, "a.pdf")).markdown

export const refused = async (pdf: Uint8Array | string) => {
  const { code, message } = await refusalOf(pdf, "a.pdf")
  return { code, message }
}

/** The rows of all tables, with their heads. */
export const rowsOf = (markdown: string): ReadonlyArray<string> =>
  markdown.split("\n").filter((each) => each.startsWith("|") && !each.includes("---"))
