/**
 * Running text as readers of documents find it, in stretches of one look, made into inline Markdown. It runs inside a
 * parsing process, as `@atelier/executor/parsing` does.
 */
export { Budget } from "./flow/Budget.ts"
export {
  bold,
  type CharacterFormat,
  hidden,
  italic,
  lowered,
  noFormat,
  over,
  raised,
  strike,
} from "./flow/CharacterFormat.ts"
export {
  areCode,
  type CodeEvidence,
  type CodeLine,
  codeEvidence,
  hasShortLines,
  isFixedWidth,
} from "./flow/codeText.ts"
export { DocumentWarnings, many } from "./flow/DocumentWarnings.ts"
export { type DiagramText, readDiagram } from "./flow/diagram.ts"
export { drawingText } from "./flow/drawingText.ts"
export { forEachInside } from "./flow/forEachInside.ts"
export { Inline } from "./flow/Inline.ts"
export * as Latex from "./flow/latex.ts"
export { mathElements, officeMath } from "./flow/officeMath.ts"
export { pictureWords } from "./flow/pictureWords.ts"
export { readText } from "./flow/readText.ts"
export { symbolText, textInFont } from "./flow/symbols.ts"
