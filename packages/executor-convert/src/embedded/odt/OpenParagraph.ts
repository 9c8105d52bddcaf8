import type { Inline } from "@atelier/executor/flow"
import type { KeptBlocks } from "../flow/Blocks.ts"
import type { OdtStyle } from "./OdtStyles.ts"

/** A paragraph whose content is being read. */
export interface OpenParagraph {
  readonly style: OdtStyle
  readonly inline: Inline
  /** All of it is text in a font of equal widths; undefined while it is empty. */
  isFixedWidth: boolean | undefined
  /** Text boxes that are anchored in it; they follow it. */
  readonly floating: KeptBlocks
  isHidden: boolean
}
