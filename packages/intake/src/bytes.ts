/**
 * The half of intake that runs inside a parsing process: it reads hostile bytes and imports nothing but
 * Node, so that such a process boots quickly. `@atelier/intake` itself is the half that runs the processes.
 */
export { Refusal } from "./Refusal.ts"
export { detectSignature, type Signature } from "./Signature.ts"
export { escapeJson, scanText, type TextScan } from "./TextScan.ts"
export { firstInvalidUtf8, hasByteOrderMark, textFault, withoutByteOrderMark } from "./Utf8.ts"
