import { principalSuite, queueSuite, rateLimiterSuite, storeSuites } from "@atelier/core/testing"
import { Postgres } from "@atelier/sql/postgres"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { afterAll } from "vitest"
import { startPostgres } from "./support/postgresServer.ts"
import { failOnWarnings } from "./support/warnings.ts"

const server = await startPostgres()
afterAll(() => server.stop())
failOnWarnings()

const database = () =>
  Layer.unwrap(
    Effect.map(
      Effect.promise(() => server.database()),
      (url) => Postgres.layer({ url }),
    ),
  )

storeSuites("Postgres", database)

const keys = await server.database()
principalSuite("Postgres", Postgres.layer({ url: keys }), Postgres.layer({ url: keys }))

const url = await server.database()
queueSuite("Postgres", Postgres.layer({ url }), Postgres.layer({ url }), { realTime: true })

const buckets = await server.database()
rateLimiterSuite("Postgres", Postgres.layer({ url: buckets }), {
  other: Postgres.layer({ url: buckets }),
  realTime: true,
})
