import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { CallbackDelivery } from "../domain/CallbackDelivery.ts"
import type { StorageError } from "../domain/CoreError.ts"

export class CallbackStore extends Context.Service<
  CallbackStore,
  {
    readonly insert: (delivery: CallbackDelivery) => Effect.Effect<void, StorageError>
    readonly get: (taskId: string) => Effect.Effect<Option.Option<CallbackDelivery>, StorageError>
    /** As `get`, and locks the delivery until the enclosing transaction ends. */
    readonly lock: (taskId: string) => Effect.Effect<Option.Option<CallbackDelivery>, StorageError>
    /** Writes `state`, `attempts`, `attemptsTotal` and `redeliveredAt` of a delivery that was locked. */
    readonly update: (delivery: CallbackDelivery) => Effect.Effect<void, StorageError>
  }
>()("@atelier/core/ports/CallbackStore") {}
