export { definition } from "./definition.ts"
export * as EpubExecutor from "./EpubExecutor.ts"
