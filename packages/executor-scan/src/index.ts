export { definition } from "./definition.ts"
export * as ScanExecutor from "./ScanExecutor.ts"
