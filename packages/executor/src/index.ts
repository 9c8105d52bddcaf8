export * as PooledExecutor from "./PooledExecutor.ts"
export type { DocumentInput, DocumentOutput, ParseInput, Warning } from "./Results.ts"
export { WrittenResults } from "./WrittenResults.ts"
