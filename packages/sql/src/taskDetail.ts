import type { HistoryEntry, ImageTask, Json, Task, ToolTask } from "@atelier/core"
import * as Schema from "effect/Schema"
import { jsonColumn } from "./jsonColumn.ts"

/** Fields of a task that have a column of their own. */
export type SharedColumn =
  | "userId"
  | "keyId"
  | "version"
  | "idempotencyKey"
  | "requestId"
  | "held"
  | "charged"
  | "released"
  | "createdAt"
  | "deadlineAt"
  | "expiresAt"
type Columns = SharedColumn | "kind" | "id" | "state" | "toolId" | "fileId" | "purged"
export type Shared = Pick<Task, SharedColumn>

/** The other fields, which `tasks.detail` holds as JSON. */
export type ImageDetail = Omit<ImageTask, Columns>
export type ToolDetail = Omit<ToolTask, Columns>

const Coded = Schema.Struct({ code: Schema.String, message: Schema.String })

/** Any name: histories keep the names that events had in other releases. */
const Event = Schema.declare<HistoryEntry["event"]>(
  (value): value is HistoryEntry["event"] => typeof value === "string",
)

/** Anything: what was parsed is JSON. A recursive schema would cost more than all the others together. */
const AnyJson = Schema.declare<Json>((value): value is Json => value !== undefined)

/** What both kinds of tasks keep in `detail`. */
const shared = {
  error: Schema.NullOr(Coded),
  warnings: Schema.Array(Coded),
  history: Schema.Array(
    Schema.Struct({
      at: Schema.Number,
      event: Event,
      from: Schema.NullOr(Schema.String),
      to: Schema.String,
      transfers: Schema.Array(Schema.String),
      requestId: Schema.optionalKey(Schema.String),
    }),
  ),
  startedAt: Schema.NullOr(Schema.Number),
  finishedAt: Schema.NullOr(Schema.Number),
}

const Asset = Schema.Struct({
  blob: Schema.NullOr(Schema.String),
  url: Schema.NullOr(Schema.String),
  contentType: Schema.NullOr(Schema.String),
  width: Schema.NullOr(Schema.Number),
  height: Schema.NullOr(Schema.Number),
  bytes: Schema.NullOr(Schema.Number),
  own: Schema.optionalKey(Schema.Literal(true)),
})

const found = {
  jobId: Schema.NullOr(Schema.String),
  text: Schema.NullOr(Schema.String),
  seed: Schema.NullOr(Schema.Number),
}

const imageDetailSchema: Schema.Codec<ImageDetail> = Schema.Struct({
  ...shared,
  request: Schema.Struct({
    model: Schema.String,
    prompt: Schema.String,
    n: Schema.Number,
    width: Schema.NullOr(Schema.Number),
    height: Schema.NullOr(Schema.Number),
    size: Schema.NullOr(Schema.String),
    resolution: Schema.NullOr(Schema.String),
    quality: Schema.NullOr(Schema.String),
    seed: Schema.NullOr(Schema.Number),
    images: Schema.Array(Schema.String),
    parentJobId: Schema.NullOr(Schema.String),
    extra: Schema.Record(Schema.String, AnyJson),
    callbackUrl: Schema.NullOr(Schema.String),
  }),
  fees: Schema.Array(Schema.Number),
  upstream: Schema.NullOr(
    Schema.Struct({ channel: Schema.String, upstreamId: Schema.NullOr(Schema.String) }),
  ),
  pinnedChannel: Schema.NullOr(Schema.String),
  delivery: Schema.Literals(["archive", "passthrough"]),
  archive: Schema.NullOr(
    Schema.Struct({
      sources: Schema.Array(
        Schema.Union([
          Schema.Struct({ _tag: Schema.Literal("Archived"), asset: Asset }),
          Schema.Struct({ _tag: Schema.Literal("Link"), url: Schema.String }),
          Schema.Struct({ _tag: Schema.Literal("Refused") }),
        ]),
      ),
      ...found,
      failures: Schema.Number,
    }),
  ),
  progress: Schema.Number,
  result: Schema.NullOr(Schema.Struct({ assets: Schema.Array(Asset), ...found })),
})

const toolDetailSchema: Schema.Codec<ToolDetail> = Schema.Struct({
  ...shared,
  outputFormats: Schema.Array(Schema.Literals(["markdown", "json"])),
  resultPrefix: Schema.String,
  results: Schema.Array(
    Schema.Struct({
      format: Schema.Literals(["markdown", "json"]),
      blob: Schema.String,
      bytes: Schema.Number,
      contentType: Schema.String,
    }),
  ),
})

export const imageDetail = jsonColumn("tasks", "detail", imageDetailSchema)
export const toolDetail = jsonColumn("tasks", "detail", toolDetailSchema)
