export type { Assertions, BalanceMatch, TaskMatch } from "./assertions.ts"
export {
  createTestAtelier,
  type Drained,
  type TestAtelier,
  type TestAtelierOptions,
} from "./createTestAtelier.ts"
export type { DocumentAnswer, DocumentRequest, UploadAnswer } from "./documentTools.ts"
export type { Expected } from "./match.ts"
export type { Script, Scripted } from "./Script.ts"
export type { SubmittedTask } from "./submitted.ts"
export type { Span } from "./TestClock.ts"
export type { UpstreamAnswer, UpstreamRequest } from "./upstream.ts"
