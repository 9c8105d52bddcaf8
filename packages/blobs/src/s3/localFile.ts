import { lstat, open } from "node:fs/promises"
import type { StorageError } from "@atelier/core"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { attempt } from "../attempt.ts"
import { type Source, sourceOfFile } from "./upload.ts"

/** A regular file as a source, open as long as the scope: no link to another's file becomes an object. */
export const openSource = (path: string): Effect.Effect<Source, StorageError, Scope.Scope> =>
  Effect.acquireRelease(
    attempt("blobs.putFile", async () => {
      if (!(await lstat(path)).isFile()) throw new Error("not a regular file")
      return open(path, "r")
    }),
    (file) => Effect.promise(() => file.close()),
  ).pipe(
    Effect.flatMap((file) =>
      Effect.map(
        attempt("blobs.putFile", () => file.stat()),
        ({ size }) => sourceOfFile(file, size),
      ),
    ),
  )

/** Writes a stream to a new file. */
export const save = (path: string, bytes: Stream.Stream<Uint8Array, StorageError>) =>
  Effect.acquireUseRelease(
    attempt("blobs.localPath", () => open(path, "wx")),
    (file) => Stream.runForEach(bytes, (chunk) => attempt("blobs.localPath", () => file.writeFile(chunk))),
    (file) => Effect.promise(() => file.close()),
  )
