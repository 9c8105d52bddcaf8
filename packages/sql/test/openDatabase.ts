/** A process of its own that opens the database named by its argument and ends. */
import { Sql } from "@atelier/sql"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

const filename = process.argv[2] ?? ""
await Effect.runPromise(Effect.scoped(Layer.build(Sql.layerSqlite({ filename }))))
