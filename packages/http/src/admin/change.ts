import {
  CurrentActor,
  canonicalJson,
  Idempotency,
  type IdempotencySubject,
  type Json,
  requireIdempotencyKey,
  sha256,
} from "@atelier/core"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { type Endpoint, type ReplyOf, replayedHeaders, reply } from "../Answer.ts"
import { idempotencyKey, toolKeyNames } from "../IdempotencyHeaders.ts"
import { isRefusal } from "../RefusedCredentials.ts"
import type { Failure } from "../toApiError.ts"
import { makeRemember } from "./auditRefusal.ts"

type CoreFailure = Exclude<Failure, { readonly _tag: "HttpRefusal" }>

/** A POST of the admin API. */
export interface Post<Id extends IdempotencySubject, A extends object, P = void> {
  readonly operation: string
  /** What makes two requests the same, in addition to the operation. */
  readonly sent: Json
  /** What is made or changed. */
  readonly id: Id
  /** What is done before, outside of the transaction of `commit`; not for a repetition. */
  readonly prepare?: (id: Id) => Effect.Effect<P | undefined, CoreFailure>
  readonly commit: (id: Id, prepared?: P) => Effect.Effect<A, CoreFailure>
  /** The answer to a repetition: the current state, without a secret. */
  readonly replay: (id: string) => Effect.Effect<A, CoreFailure>
}

/** How the admin API makes changes: refusals are written to the audit log too, and a POST takes an idempotency key. */
export const makeChange = Effect.gen(function* () {
  const idempotency = yield* Idempotency
  const remember = yield* makeRemember

  /** A refusal becomes an entry of the audit log. */
  const audited = <A, R>(endpoint: Endpoint, work: Effect.Effect<A, Failure, R>) =>
    Effect.tapError(work, (failure) =>
      isRefusal(failure) ? remember(endpoint.identifier, failure.code) : Effect.void,
    )

  /** Runs a handler, audited; its value, or its refusal, becomes the answer. */
  const change = <E extends Endpoint, R>(endpoint: E, work: Effect.Effect<ReplyOf<E>, Failure, R>) =>
    reply(endpoint, audited(endpoint, work))

  /** contract, Later decisions: a request that one credential repeats under one key takes effect once. */
  const once = Effect.fnUntraced(function* <Id extends IdempotencySubject, A extends object, P = void>(
    post: Post<Id, A, P>,
  ) {
    const request = yield* HttpServerRequest.HttpServerRequest
    const key = yield* idempotencyKey(request, toolKeyNames)
    yield* requireIdempotencyKey(key)
    const actor = yield* CurrentActor
    const { value, replayed } = yield* idempotency.once({
      keyId: `admin:${actor.id}`,
      idempotencyKey: key,
      operation: `admin:${post.operation}`,
      fingerprint: sha256(canonicalJson(post.sent)),
      taskId: post.id,
      reserve: false,
      recordRefusals: false,
      prepare: post.prepare === undefined ? Effect.undefined : post.prepare(post.id),
      commit: (prepared) => post.commit(post.id, prepared),
      replay: post.replay,
    })
    return HttpApiSchema.withHeaders({ body: value, headers: replayedHeaders(replayed) })
  })

  return { audited, change, once }
})

export type Secrets<Names extends string> = { readonly [Name in Names]: string | null }

const notShownAgain =
  "The secret was only in the first answer, and is not shown again. If it was lost, rotate for a new one."

/** An object with its secrets after its id; null in their place if they were already shown. */
export const shown = <T extends { readonly id: string }, Names extends string>(
  { id, ...rest }: T,
  secrets: Secrets<Names>,
): { readonly id: string; readonly message?: string } & Secrets<Names> & Omit<T, "id"> => ({
  id,
  ...secrets,
  ...(Object.values(secrets).includes(null) ? { message: notShownAgain } : {}),
  ...rest,
})
