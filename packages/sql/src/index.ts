export * as Sql from "./Sql.ts"
export * as SqliteClient from "./sqlite/SqliteClient.ts"
export { migratedSchema } from "./sqlite/schema.ts"
