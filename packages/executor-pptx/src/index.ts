export { definition } from "./definition.ts"
export * as PptxExecutor from "./PptxExecutor.ts"
