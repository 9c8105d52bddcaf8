import { join } from "node:path"
import { FileBlobs } from "@atelier/blobs"
import { Atelier, Callback, Downloads, Executors, ReferenceImages } from "@atelier/core"
import { TextExecutor } from "@atelier/executor-text"
import { ParsingPool } from "@atelier/intake"
import { Catalog } from "@atelier/models"
import { Sql } from "@atelier/sql"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** The document tools of this process, in a pool of child processes. */
const executors = Layer.effect(Executors, Effect.all([TextExecutor.make])).pipe(
  Layer.provide(ParsingPool.layer()),
)

/** Everything in one process and one directory: the services, the workers, SQLite, files, the local models. */
export const embedded = (directory: string) =>
  Atelier.layer.pipe(
    Layer.provideMerge(Sql.layerSqlite({ filename: join(directory, "atelier.db") })),
    Layer.provideMerge(FileBlobs.layer({ directory: join(directory, "blobs") })),
    Layer.provide([Catalog.layerLocal(), executors]),
    Layer.provide([Callback.layerOffline, Downloads.layerOffline, ReferenceImages.layerUnchecked]),
  )
