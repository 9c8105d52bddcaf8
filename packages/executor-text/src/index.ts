export { definition } from "./definition.ts"
export { parse } from "./parse.ts"
export * as TextExecutor from "./TextExecutor.ts"
