import { SmallBlobs } from "@atelier/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as SqlClient from "effect/sql/SqlClient"
import { first, hasRows, makeStatements } from "./statement.ts"

/** Queries; a test checks that their plans use indexes. */
export const queries = {
  put: `INSERT INTO small_blobs (key, content) VALUES (?, ?)
    ON CONFLICT (key) DO UPDATE SET content = excluded.content`,
  get: "SELECT content FROM small_blobs WHERE key = ?",
  remove: "DELETE FROM small_blobs WHERE key = ? RETURNING key",
  removeBelow: "DELETE FROM small_blobs WHERE key > ? AND key < ? RETURNING key",
}

/** The first key behind all that are below this one: `0` follows the slash at its end. */
const behind = (key: string): string => `${key.slice(0, -1)}0`

const make = Effect.gen(function* () {
  const statement = yield* makeStatements
  const put = statement("SmallBlobs.put", queries.put)
  const get = statement<{ content: string }>("SmallBlobs.get", queries.get)
  const remove = statement("SmallBlobs.remove", queries.remove)
  const removeBelow = statement("SmallBlobs.remove", queries.removeBelow)
  return SmallBlobs.of({
    put: (key, bytes) => {
      const { buffer, byteOffset, length } = bytes
      return Effect.asVoid(put([key, Buffer.from(buffer, byteOffset, length).toString("base64")]))
    },
    get: (key) =>
      Effect.map(get([key]), (rows) =>
        Option.map(first(rows), ({ content }) => Buffer.from(content, "base64")),
      ),
    remove: (key) => Effect.map(key.endsWith("/") ? removeBelow([key, behind(key)]) : remove([key]), hasRows),
  })
})

export const layer: Layer.Layer<SmallBlobs, never, SqlClient.SqlClient> = Layer.effect(SmallBlobs, make)
