import { StorageError } from "@atelier/core"
import * as Effect from "effect/Effect"
import { MoveRefused } from "./MoveRefused.ts"

/** The operation of failures that are the source's; all others are the destination's. */
export const readOperation = "Move.read"

/** Runs synchronous work on the source. */
export const reading = <A>(work: () => A): Effect.Effect<A, MoveRefused | StorageError> =>
  Effect.try({
    try: work,
    catch: (cause) =>
      cause instanceof MoveRefused ? cause : new StorageError({ operation: readOperation, cause }),
  })
