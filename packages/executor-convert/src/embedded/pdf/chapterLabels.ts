import type { Block, TextBlock } from "./Blocks.ts"

const label =
  /^(?:chapter|part|appendix|annex|kapitel|teil|anhang|chapitre|partie|annexe|cap[íi]tulo|parte|ap[ée]ndice|capitolo|appendice|hoofdstuk|deel|bijlage|rozdzia[łl]|глава|часть|приложение) (?:\d{1,3}|[IVXLC]{1,7}|[A-Z])[.:]?$/iu

/** Lines such as `Chapter 3` above the title of the chapter, each with that title, which is as large or larger. */
export const chapterLabelsIn = (
  blocks: ReadonlyArray<Block>,
  isHeading: (block: TextBlock) => boolean,
): ReadonlyMap<Block, TextBlock> => {
  const labels = new Map<Block, TextBlock>()
  for (const [index, block] of blocks.entries()) {
    const title = blocks[index + 1]
    if (block.kind !== "text" || title?.kind !== "text" || !label.test(block.text)) continue
    if (block.page === title.page && block.size <= title.size && !label.test(title.text) && isHeading(title))
      labels.set(block, title)
  }
  return labels
}
