import { SettingRefused } from "@atelier/plugin"
import * as Effect from "effect/Effect"

const isMissing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND"

/** What was loaded, or undefined where its package is not installed. */
export const ifInstalled = <A>(loading: Promise<A>): Promise<A | undefined> =>
  loading.catch((error: unknown) => {
    if (isMissing(error)) return undefined
    throw error
  })

const clients = () =>
  Promise.all([
    ifInstalled(import("pg")),
    ifInstalled(import("graphile-worker")),
    ifInstalled(import("@atelier/sql/postgres")),
  ])

type PostgresStores = typeof import("@atelier/sql/postgres").Postgres

/** The stores on Postgres. Their packages are asked for where a Postgres is named, and by no other application. */
export const loadPostgres: Effect.Effect<PostgresStores, SettingRefused> = Effect.flatMap(
  Effect.promise(clients),
  ([pg, worker, stores]) =>
    pg === undefined || worker === undefined || stores === undefined
      ? Effect.fail(
          new SettingRefused({
            setting: "database",
            problem: "Postgres needs packages of its own: npm install pg graphile-worker @effect/sql-pg",
          }),
        )
      : Effect.succeed(stores.Postgres),
)

/** The tool for PDF, Word, Excel, OpenDocument, HTML and XML, if its package is installed. */
export const loadConvert = Effect.promise(() => ifInstalled(import("@atelier/executor-convert")))

/** The tool that recognises text in scans, if its package is installed. */
export const loadScan = Effect.promise(() => ifInstalled(import("@atelier/executor-scan")))
