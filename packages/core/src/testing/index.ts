export { RunJob } from "../workers/RunJob.ts"
export * from "./Blobs.ts"
export { callbackStoreSuite } from "./CallbackStore.ts"
export {
  type ContractDocument,
  type ContractResult,
  type ExecutorContract,
  executorContract,
} from "./Executor.ts"
export { atEveryStep, FailAt, type Fault, failingStores } from "./FailAt.ts"
export { fileStoreSuite } from "./FileStore.ts"
export * from "./fixtures.ts"
export { idempotencyStoreSuite } from "./IdempotencyStore.ts"
export { keyStoreSuite } from "./KeyStore.ts"
export { ledgerStoreSuite } from "./LedgerStore.ts"
export { queueSuite } from "./Queue.ts"
export { rateLimiterSuite } from "./RateLimiter.ts"
export { settingsStoreSuite } from "./SettingsStore.ts"
export { taskStoreSuite } from "./TaskStore.ts"
export { transactionSuite } from "./Transaction.ts"
