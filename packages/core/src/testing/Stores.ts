import type * as Layer from "effect/Layer"
import { adminTokenStoreSuite } from "./AdminTokenStore.ts"
import { callbackStoreSuite } from "./CallbackStore.ts"
import type { FailableStores } from "./FailAt.ts"
import { fileStoreSuite } from "./FileStore.ts"
import { finishedTasksSuite } from "./FinishedTasks.ts"
import { idempotencyStoreSuite } from "./IdempotencyStore.ts"
import { keyStoreSuite } from "./KeyStore.ts"
import { ledgerStoreSuite } from "./LedgerStore.ts"
import { settingsStoreSuite } from "./SettingsStore.ts"
import { smallBlobsSuite } from "./SmallBlobs.ts"
import { taskStoreSuite } from "./TaskStore.ts"
import { totalsStoreSuite } from "./TotalsStore.ts"
import { transactionSuite } from "./Transaction.ts"

/**
 * The contracts of everything that a database keeps; `fresh` gives an empty one for each. The queue's is
 * `queueSuite`.
 */
export const storeSuites = (name: string, fresh: () => Layer.Layer<FailableStores, unknown>): void => {
  adminTokenStoreSuite(name, fresh())
  callbackStoreSuite(name, fresh())
  fileStoreSuite(name, fresh())
  finishedTasksSuite(name, fresh())
  idempotencyStoreSuite(name, fresh())
  keyStoreSuite(name, fresh())
  ledgerStoreSuite(name, fresh())
  settingsStoreSuite(name, fresh())
  smallBlobsSuite(name, fresh())
  taskStoreSuite(name, fresh())
  totalsStoreSuite(name, fresh())
  transactionSuite(name, fresh())
}
