import { Authentication, CurrentPrincipal } from "@atelier/api"
import * as Effect from "effect/Effect"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { Admission } from "./Admission.ts"
import { refusal } from "./Answer.ts"

/** Admits requests of the contract's endpoints; routes learn of the principal. */
export const layer = Layer.effect(
  Authentication,
  Effect.map(Admission, ({ admit }) =>
    Authentication.of({
      apiKey: (route, { credential }) =>
        HttpServerRequest.pipe(
          Effect.flatMap((request) => admit(request, Redacted.value(credential))),
          Effect.matchEffect({
            onFailure: (failure) => refusal(failure, "tools"),
            onSuccess: (principal) => Effect.provideService(route, CurrentPrincipal, principal),
          }),
        ),
    }),
  ),
)
