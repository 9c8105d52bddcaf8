export { RunJob } from "../workers/RunJob.ts"
export * from "./Blobs.ts"
export {
  bytesOf,
  type ContractDocument,
  type ContractResult,
  type ExecutorContract,
  executorContract,
} from "./Executor.ts"
export { atEveryStep, FailAt, type FailableStores, type Fault, failingStores } from "./FailAt.ts"
export * from "./fixtures.ts"
export { leasedAsAddedSuite } from "./LeasedAsAdded.ts"
export { beginJobs, leaseJobs, runBy } from "./leaseJobs.ts"
export { principalSuite } from "./Principals.ts"
export { queueSuite } from "./Queue.ts"
export { rateLimiterSuite } from "./RateLimiter.ts"
export { storeSuites } from "./Stores.ts"
