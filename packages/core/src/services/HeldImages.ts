import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { type CoreError, refuse, StorageError } from "../domain/CoreError.ts"
import { type FileId, makeId } from "../domain/Ids.ts"
import { Limits } from "../domain/Limits.ts"
import { newObjectName } from "../domain/ObjectName.ts"
import type { Principal } from "../domain/Principal.ts"
import { heldFileOf, heldImage } from "../domain/Task.ts"
import { heldImagesTool, type ToolFile } from "../domain/ToolFile.ts"
import { Blobs } from "../ports/Blobs.ts"
import { FileStore } from "../ports/FileStore.ts"
import { ReferenceImages } from "../ports/ReferenceImages.ts"
import { Transaction } from "../ports/Transaction.ts"

/** An image that came with a request, in a local file, which is moved. */
export interface GivenImage {
  /** The field that it came in. */
  readonly param: string
  readonly path: string
  readonly filename: string
  readonly bytes: number
  /** Hex. */
  readonly sha256: string
  /** Its first bytes, which tell its type. */
  readonly begin: Uint8Array
}

/** Images that came with a request, and the mask that says what of the first may change. */
export interface GivenImages {
  readonly images: ReadonlyArray<GivenImage>
  readonly mask: GivenImage | null
}

/**
 * Images that came with a request to edit them, as private blobs until their task ends (contract, Later decisions).
 * The step that ends a task also marks them for `FileCleanup`; those of a process that died before its task was
 * accepted expire.
 */
export class HeldImages extends Context.Service<
  HeldImages,
  {
    /**
     * Keeps images; what stands for them in a request. Refuses what is no image with `reference_image_unavailable`,
     * before anything is kept, and with `too_many_tasks` more than a user may have; keeps all or none.
     */
    readonly hold: (
      principal: Principal,
      images: ReadonlyArray<GivenImage>,
    ) => Effect.Effect<ReadonlyArray<string>, CoreError | StorageError>
    /** Images whose task was refused. */
    readonly release: (held: ReadonlyArray<string>) => Effect.Effect<void, StorageError>
    /** The Data URL of what stands for a held image; any other reference as it is. */
    readonly open: (image: string) => Effect.Effect<string, StorageError>
  }
>()("@atelier/core/services/HeldImages") {
  static readonly layer = Layer.effect(
    HeldImages,
    Effect.gen(function* () {
      const blobs = yield* Blobs
      const limits = yield* Limits
      const random = yield* SecureRandom
      const references = yield* ReferenceImages
      const store = yield* FileStore
      const transaction = yield* Transaction

      /** Row first, then bytes, then `ready`, as of an upload: cleanup finds what a process leaves that dies. */
      const keep = Effect.fnUntraced(function* (
        principal: Principal,
        image: GivenImage,
        contentType: string,
      ) {
        const now = yield* Clock.currentTimeMillis
        const file: ToolFile = {
          id: yield* Effect.provideService(makeId("toolfile"), SecureRandom, random),
          toolId: heldImagesTool,
          userId: principal.user.id,
          keyId: principal.key.id,
          filename: image.param,
          contentType,
          bytes: image.bytes,
          sha256: image.sha256,
          status: "uploading",
          blob: yield* newObjectName(random, "files"),
          createdAt: now,
          // By then the task is final, or its images were sent.
          expiresAt: now + limits.image_task_deadline_ms + limits.image_unknown_deadline_ms,
        }
        yield* transaction.run(Effect.andThen(requireRoom(file), store.insert(file)))
        yield* blobs.putFile(file.blob, image.path)
        if (!(yield* transaction.run(store.setStatus(file.id, "uploading", "ready")))) {
          yield* blobs.remove(file.blob)
          const cause = new Error("cleanup considered the image abandoned")
          return yield* new StorageError({ operation: "HeldImages.hold", cause })
        }
        return heldImage(file.id)
      })

      const requireRoom = Effect.fnUntraced(function* ({ userId, bytes }: ToolFile) {
        const held = yield* store.heldBytes(userId)
        if (held + bytes <= limits.held_images_bytes_per_user_max) return
        return yield* refuse(
          "too_many_tasks",
          `The images of this user's unfinished edits have ${held} bytes; at most ${limits.held_images_bytes_per_user_max} are allowed, and this one has ${bytes}.`,
          { retryAfterSeconds: 5 },
        )
      })

      const hold = Effect.fnUntraced(function* (principal: Principal, images: ReadonlyArray<GivenImage>) {
        const typed = yield* Effect.forEach(images, (image) => {
          const type = references.typeOf(image.begin)
          return type === undefined
            ? Effect.fail(
                refuse(
                  "reference_image_unavailable",
                  `\`${image.param}\` must be a PNG, JPEG, WebP, GIF or AVIF image; its ${image.bytes} bytes are none.`,
                  { param: image.param },
                ),
              )
            : Effect.succeed([image, type] as const)
        })
        const kept: Array<string> = []
        return yield* Effect.forEach(typed, ([image, type]) =>
          Effect.tap(keep(principal, image, type), (held) => Effect.sync(() => kept.push(held))),
        ).pipe(Effect.onError(() => Effect.ignore(transaction.run(releaseHeld(store, kept)))))
      })

      const open = Effect.fnUntraced(function* (image: string) {
        const id = heldFileOf(image)
        if (id === undefined) return image
        const file = yield* store.get(id)
        if (Option.isNone(file) || file.value.status !== "ready") {
          const cause = new Error(`the image ${id} of an unfinished task is gone`)
          return yield* new StorageError({ operation: "HeldImages.open", cause })
        }
        const pieces = yield* Stream.runCollect(blobs.read(file.value.blob))
        return `data:${file.value.contentType};base64,${Buffer.concat([...pieces]).toString("base64")}`
      })

      return HeldImages.of({
        hold,
        open,
        release: (held) => transaction.run(releaseHeld(store, held)),
      })
    }),
  )
}

/** Marks held images for removal; in the enclosing transaction. */
export const releaseHeld = (
  store: FileStore["Service"],
  images: ReadonlyArray<string>,
): Effect.Effect<void, StorageError> =>
  Effect.forEach(
    images.map(heldFileOf).filter((id): id is FileId => id !== undefined),
    (id) => store.setStatus(id, "ready", "deleting"),
    { discard: true },
  )
