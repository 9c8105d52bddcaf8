/** A process of its own that opens the Postgres database named by its argument and ends. */
import { Postgres } from "@atelier/sql/postgres"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

await Effect.runPromise(Effect.scoped(Layer.build(Postgres.layer({ url: process.argv[2] ?? "" }))))
