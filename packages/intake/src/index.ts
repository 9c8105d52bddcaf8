export * from "./bytes.ts"
export { Crashed, Failed, ParsingError, Timeout, Unavailable } from "./ParsingError.ts"
export { type ParsingCall, ParsingPool, type ParsingPoolOptions } from "./ParsingPool.ts"
export { siblingModule } from "./sibling.ts"
