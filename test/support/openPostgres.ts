/** A process of its own that opens the Postgres database named by its argument and ends. */
import { Sql } from "@atelier/sql"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

await Effect.runPromise(Effect.scoped(Layer.build(Sql.layerPostgres({ url: process.argv[2] ?? "" }))))
