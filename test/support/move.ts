import { type Installation, run } from "./server.ts"

/** The database of an installation that is moved. */
export const source = "sqlite:data/atelier.db"

/** Moves an installation up. */
export const move = (installation: Installation, to: string, ...more: ReadonlyArray<string>) =>
  run(installation, ["migrate", "--from", source, "--to", to, ...more])

/** The installation after its move. */
export const onPostgres = (installation: Installation, url: string): Installation => ({
  ...installation,
  environment: {
    ...installation.environment,
    ATELIER_DATABASE_URL: url,
    ATELIER_BLOB_URL: "file:moved",
  },
})
