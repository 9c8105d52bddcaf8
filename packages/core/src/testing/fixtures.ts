import type { AdminToken } from "../domain/AdminToken.ts"
import type { CallbackDelivery } from "../domain/CallbackDelivery.ts"
import type { FileId, ImageTaskId, KeyId, TaskId, ToolTaskId, UserId } from "../domain/Ids.ts"
import type { ApiKey, User } from "../domain/Principal.ts"
import type { ImageTask, ToolTask } from "../domain/Task.ts"
import type { ToolFile } from "../domain/ToolFile.ts"
import type { IdempotencyRecord } from "../ports/IdempotencyStore.ts"

let made = 0

/** A 26-character suffix that no other fixture of this process has; later ones sort after earlier ones. */
const suffix = (): string => {
  made += 1
  return `01${made.toString(32).padStart(24, "0")}`
}

export const aUserId = (): UserId => `usr_${suffix()}`
export const aKeyId = (): KeyId => `key_${suffix()}`
export const aFileId = (): FileId => `toolfile_${suffix()}`
export const anImageTaskId = (): ImageTaskId => `imgtask_${suffix()}`
export const aToolTaskId = (): ToolTaskId => `tooltask_${suffix()}`
export const aTaskId = (): TaskId => anImageTaskId()

export const aUser = (given: Partial<User> = {}): User => ({
  id: aUserId(),
  name: "Ada",
  disabled: false,
  createdAt: 1_700_000_000_000,
  ...given,
})

export const aKey = (given: Partial<ApiKey> & Pick<ApiKey, "userId">): ApiKey => {
  const id = given.id ?? aKeyId()
  return {
    id,
    digest: `digest of ${id}`,
    previousDigest: null,
    previousUntil: null,
    hint: "sk-atl-abcd",
    name: "first",
    models: ["gen-image-*"],
    tools: [],
    ipAllowlist: ["10.0.0.0/8", "::1"],
    group: null,
    quotaUnits: null,
    usedUnits: 0,
    ratePerMinute: 60,
    webhookSecret: "whsec_c2VjcmV0",
    previousWebhookSecret: null,
    previousWebhookUntil: null,
    disabled: false,
    expiresAt: null,
    createdAt: 1_700_000_000_000,
    ...given,
  }
}

export const anAdminToken = (given: Partial<AdminToken> = {}): AdminToken => {
  const id = given.id ?? (`adm_${suffix()}` as const)
  return {
    id,
    name: "Ada",
    role: "support",
    digest: `digest of ${id}`,
    hint: "sk-atladm-abcd",
    previousDigest: null,
    previousUntil: null,
    disabled: false,
    expiresAt: null,
    createdAt: 1_700_000_000_000,
    ...given,
  }
}

const taskBase = {
  version: 1,
  idempotencyKey: null,
  requestId: null,
  held: 100,
  charged: 0,
  released: 0,
  error: null,
  warnings: [],
  history: [],
  createdAt: 1_700_000_000_000,
  startedAt: null,
  finishedAt: null,
  deadlineAt: 1_700_003_600_000,
  expiresAt: 0,
}

export const anImageTask = (given: Partial<ImageTask> = {}): ImageTask => ({
  ...taskBase,
  kind: "image",
  id: anImageTaskId(),
  userId: aUserId(),
  keyId: aKeyId(),
  state: "queued",
  request: {
    model: "gen-image-2",
    prompt: "a lighthouse at dusk – “öl auf Leinwand” 🌊",
    n: 1,
    width: 1024,
    height: 1024,
    size: "1:1",
    resolution: "1K",
    quality: null,
    seed: 7,
    images: ["https://example.com/a.png"],
    extra: { style: ["a", { b: null }], strength: 0.25 },
    parentJobId: null,
    callbackUrl: null,
  },
  fees: [100],
  pinnedChannel: null,
  upstream: null,
  delivery: "archive",
  archive: null,
  progress: 0,
  result: null,
  ...given,
})

export const aToolTask = (given: Partial<ToolTask> = {}): ToolTask => ({
  ...taskBase,
  kind: "tool",
  id: aToolTaskId(),
  userId: aUserId(),
  keyId: aKeyId(),
  state: "queued",
  toolId: "text-md-json",
  fileId: aFileId(),
  outputFormats: ["markdown", "json"],
  resultPrefix: "results/0123456789abcdef/",
  results: [],
  purged: false,
  expiresAt: 1_700_007_200_000,
  ...given,
})

export const aFile = (given: Partial<ToolFile> = {}): ToolFile => {
  const id = given.id ?? aFileId()
  return {
    id,
    toolId: "text-md-json",
    userId: aUserId(),
    keyId: aKeyId(),
    filename: "Bericht – 2026.txt",
    contentType: "text/plain",
    bytes: 1234,
    sha256: "a".repeat(64),
    status: "ready",
    blob: `tool-files/${id}`,
    createdAt: 1_700_000_000_000,
    expiresAt: 1_700_007_200_000,
    ...given,
  }
}

export const aRecord = (given: Partial<IdempotencyRecord> = {}): IdempotencyRecord => ({
  keyId: aKeyId(),
  idempotencyKey: "order 1",
  operation: "images",
  fingerprint: "f".repeat(64),
  taskId: aTaskId(),
  outcome: { _tag: "Accepted" },
  createdAt: 1000,
  expiresAt: 100_000,
  ...given,
})

export const aDelivery = (given: Partial<CallbackDelivery> = {}): CallbackDelivery => ({
  taskId: aTaskId(),
  keyId: aKeyId(),
  url: "https://example.com/hook?a=1",
  eventId: `evt_${suffix()}`,
  state: "pending",
  attempts: [],
  attemptsTotal: 0,
  redeliveredAt: [],
  createdAt: 1_700_000_000_000,
  ...given,
})
