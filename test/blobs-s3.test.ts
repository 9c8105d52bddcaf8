import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { S3Blobs } from "@atelier/blobs"
import { blobsSuite } from "@atelier/core/testing"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { startS3 } from "./support/s3Server.ts"

const server = Effect.acquireRelease(Effect.promise(startS3), (started) => Effect.promise(started.stop))
const directory = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "s3-blobs-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true })),
)

const layer = (prefix: string) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { endpoint, bucket, credentials } = yield* server
      return S3Blobs.layer({
        bucket: yield* Effect.promise(bucket),
        prefix,
        region: "us-east-1",
        endpoint,
        accessKeyId: credentials.AWS_ACCESS_KEY_ID,
        secretAccessKey: Redacted.make(credentials.AWS_SECRET_ACCESS_KEY),
        sessionToken: undefined,
        directory: yield* directory,
      })
    }),
  )

blobsSuite("S3Blobs", layer(""))
blobsSuite("S3Blobs below a prefix", layer("some/where/"))
