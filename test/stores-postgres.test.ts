import { principalSuite, queueSuite, rateLimiterSuite, storeSuites } from "@atelier/core/testing"
import { Sql } from "@atelier/sql"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { afterAll } from "vitest"
import { startPostgres } from "./support/postgresServer.ts"

const server = await startPostgres()
afterAll(() => server.stop())

const database = () =>
  Layer.unwrap(
    Effect.map(
      Effect.promise(() => server.database()),
      (url) => Sql.layerPostgres({ url }),
    ),
  )

storeSuites("Postgres", database)

const keys = await server.database()
principalSuite("Postgres", Sql.layerPostgres({ url: keys }), Sql.layerPostgres({ url: keys }))

const url = await server.database()
queueSuite("Postgres", Sql.layerPostgres({ url }), Sql.layerPostgres({ url }), { realTime: true })

const buckets = await server.database()
rateLimiterSuite("Postgres", Sql.layerPostgres({ url: buckets }), {
  other: Sql.layerPostgres({ url: buckets }),
  realTime: true,
})
