import { randomUUID } from "node:crypto"
import * as Effect from "effect/Effect"
import { listPage, removeObject } from "./remove.ts"
import type { S3Bucket, S3Client } from "./S3Client.ts"
import { S3Failure } from "./S3Failure.ts"

/**
 * Does once what the store needs to be allowed: lists, writes, reads and removes, below `prefix`. Fails with a
 * message that names the bucket, the step, and where it is known the remedy.
 */
export const checkBucket = (
  client: S3Client,
  { bucket }: S3Bucket,
  prefix: string,
): Effect.Effect<void, S3Failure> => {
  const key = `${prefix}start/${randomUUID()}`
  const step = <A>(what: string, attempted: Effect.Effect<A, S3Failure>) =>
    Effect.mapError(attempted, (failure) => explained(failure, bucket, client.host, what))
  return Effect.gen(function* () {
    yield* step("be listed (s3:ListBucket)", listPage(client, `${prefix}start/`, ""))
    yield* step("be written (s3:PutObject)", client.call({ method: "PUT", key, body: Buffer.from("start") }))
    yield* step("be read (s3:GetObject)", client.call({ method: "GET", key }))
    yield* step("be removed from (s3:DeleteObject)", removeObject(client, key))
  })
}

const explained = (failure: S3Failure, bucket: string, host: string, what: string): S3Failure => {
  const reason = reasons[failure.code]?.(host) ?? failure.message
  return new S3Failure({
    ...failure,
    message: `bucket ${JSON.stringify(bucket)} at ${host} cannot ${what}: ${reason}`,
  })
}

/** By S3's code: what to look at. */
const reasons: { readonly [code: string]: (host: string) => string } = {
  NoSuchBucket: () => "there is no such bucket",
  AccessDenied: () => "access is denied to AWS_ACCESS_KEY_ID",
  InvalidAccessKeyId: () => "AWS_ACCESS_KEY_ID is not known there",
  SignatureDoesNotMatch: () => "AWS_SECRET_ACCESS_KEY does not belong to AWS_ACCESS_KEY_ID",
  InvalidToken: () => "AWS_SESSION_TOKEN is not valid there",
  ExpiredToken: () => "AWS_SESSION_TOKEN has expired",
  RequestTimeTooSkewed: () => "the clock of this machine is wrong",
  ENOTFOUND: (host) => `there is no host ${host}`,
  ECONNREFUSED: (host) => `nothing listens at ${host}`,
  Unexpected: (host) => `${host} does not answer as an S3 server does; look at the endpoint`,
}
