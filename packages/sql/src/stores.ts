import type {
  AdminTokenStore,
  CallbackStore,
  FileStore,
  FinishedTasks,
  IdempotencyStore,
  KeyStore,
  LedgerStore,
  Queue,
  SettingsStore,
  SmallBlobs,
  TaskStore,
  TotalsStore,
  Transaction,
} from "@atelier/core"
import * as Layer from "effect/Layer"
import * as SqlAdminTokenStore from "./SqlAdminTokenStore.ts"
import * as SqlCallbackStore from "./SqlCallbackStore.ts"
import * as SqlFileStore from "./SqlFileStore.ts"
import * as SqlFinishedTasks from "./SqlFinishedTasks.ts"
import * as SqlIdempotencyStore from "./SqlIdempotencyStore.ts"
import * as SqlKeyStore from "./SqlKeyStore.ts"
import * as SqlLedgerStore from "./SqlLedgerStore.ts"
import * as SqlSettingsStore from "./SqlSettingsStore.ts"
import * as SqlSmallBlobs from "./SqlSmallBlobs.ts"
import * as SqlTaskStore from "./SqlTaskStore.ts"
import * as SqlTotalsStore from "./SqlTotalsStore.ts"
import * as SqlTransaction from "./SqlTransaction.ts"

/** The ports that a database serves. */
export type Stores =
  | AdminTokenStore
  | CallbackStore
  | FileStore
  | FinishedTasks
  | IdempotencyStore
  | KeyStore
  | LedgerStore
  | Queue
  | SettingsStore
  | SmallBlobs
  | TaskStore
  | TotalsStore
  | Transaction

/** The stores that all dialects share; they need a client whose database is migrated. */
export const layerStores = Layer.mergeAll(
  SqlAdminTokenStore.layer,
  SqlCallbackStore.layer,
  SqlFileStore.layer,
  SqlFinishedTasks.layer,
  SqlIdempotencyStore.layer,
  SqlKeyStore.layer,
  SqlLedgerStore.layer,
  SqlSettingsStore.layer,
  SqlSmallBlobs.layer,
  SqlTaskStore.layer,
  SqlTotalsStore.layer,
  SqlTransaction.layer,
)
