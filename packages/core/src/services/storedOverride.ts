import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { StorageError } from "../domain/CoreError.ts"
import type { SettingsStore } from "../ports/SettingsStore.ts"

/**
 * An administrator's stored override of a catalog entry, decoded by the schema of its kind; undefined if there is
 * none.
 */
export const storedOverride =
  <A>(settings: SettingsStore["Service"], kind: "tool" | "model", schema: Schema.Codec<A, unknown>) =>
  (id: string): Effect.Effect<A | undefined, StorageError> =>
    Effect.flatMap(
      settings.get(kind, id),
      Option.match({
        onNone: () => Effect.succeed(undefined),
        onSome: (stored) =>
          Effect.mapError(
            Schema.decodeUnknownEffect(schema)(stored),
            (cause) => new StorageError({ operation: "settings.get", cause }),
          ),
      }),
    )
