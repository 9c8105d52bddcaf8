export * as Move from "./move/Move.ts"
export * as Postgres from "./postgres/Postgres.ts"
export * as PostgresClient from "./postgres/PostgresClient.ts"
export { migratedPostgresSchema } from "./postgres/schema.ts"
