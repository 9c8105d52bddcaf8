export { definition } from "./definition.ts"
export * as NotebookExecutor from "./NotebookExecutor.ts"
