export { definition } from "./definition.ts"
export * as TextExecutor from "./TextExecutor.ts"
