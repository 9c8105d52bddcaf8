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
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import { makeRemember } from "./AdminRefusals.ts"
import { answer, json } from "./Answer.ts"
import { idempotencyKey, toolKeyNames } from "./IdempotencyKey.ts"
import { isRefusal } from "./RefusedCredentials.ts"
import type { Failure } from "./toApiError.ts"

type CoreFailure = Exclude<Failure, { readonly _tag: "HttpRefusal" }>

/** A POST of the admin API. */
export interface Post<Id extends IdempotencySubject> {
  readonly operation: string
  /** What makes two requests the same, in addition to the operation. */
  readonly sent: Json
  /** 200 unless given. */
  readonly status?: number
  /** What is made or changed. */
  readonly id: Id
  readonly commit: (id: Id) => Effect.Effect<object, CoreFailure>
  /** The answer to a repetition: the current state, without a secret. */
  readonly replay: (id: string) => Effect.Effect<object, CoreFailure>
}

/** How the admin API makes changes: refusals are written to the audit log too, and a POST takes an idempotency key. */
export const makeChange = Effect.gen(function* () {
  const idempotency = yield* Idempotency
  const remember = yield* makeRemember

  /** Runs a handler; a refusal becomes its answer, and an entry of the audit log. */
  const change = <R>(
    endpoint: string,
    work: Effect.Effect<HttpServerResponse.HttpServerResponse, Failure, R>,
  ) =>
    answer(
      "tools",
      Effect.tapError(work, (failure) =>
        isRefusal(failure) ? remember(endpoint, failure.code) : Effect.void,
      ),
    )

  /** contract, Later decisions: a request that one credential repeats under one key takes effect once. */
  const once = Effect.fnUntraced(function* <Id extends IdempotencySubject>(post: Post<Id>) {
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
      prepare: Effect.void,
      commit: () => post.commit(post.id),
      replay: post.replay,
    })
    return json(value, {
      status: post.status ?? 200,
      headers: replayed ? { "idempotency-replayed": "true" } : {},
    })
  })

  return { change, once }
})

export type Secrets = { readonly [field: string]: string | null }

const notShownAgain =
  "The secret was only in the first answer, and is not shown again. If it was lost, rotate for a new one."

/** An object with its secrets after its id; null in their place if they were already shown. */
export const shown = <T extends { readonly id: string }>({ id, ...rest }: T, secrets: Secrets) => ({
  id,
  ...secrets,
  ...(Object.values(secrets).includes(null) ? { message: notShownAgain } : {}),
  ...rest,
})
