import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import {
  BadRequest,
  Conflict,
  ContentTooLarge,
  Forbidden,
  Gone,
  NotFound,
  PaymentRequired,
  UnsupportedMediaType,
} from "./ApiError.ts"
import { Authentication } from "./Authentication.ts"
import { listOf, replayedHeader } from "./WireCommon.ts"
import { WireToolList } from "./WireTool.ts"
import { WireToolFile } from "./WireToolFile.ts"
import { WireInvocation, WireToolTask } from "./WireToolTask.ts"

const accepted = HttpApiSchema.WithHeaders(WireToolTask.pipe(HttpApiSchema.status(202)), {
  location: Schema.String.annotate({ description: "`/v1/tasks/{task_id}`" }),
  "retry-after": Schema.String.annotate({ description: "Seconds to wait before polling." }),
  ...replayedHeader,
})

const UploadForm = Schema.Struct({
  file: Schema.String.annotate({ format: "binary", description: "Exactly one file, under any name." }),
}).pipe(HttpApiSchema.asMultipartStream())

/**
 * document-tools 4. Every endpoint refuses first what `Authentication` refuses, and then, in this order:
 *
 * upload: 404 `tool_not_found`, 403 `tool_not_allowed`, 429 `too_many_files`, 415 `unsupported_media_type`,
 * then while the bytes arrive 400 `invalid_file` (broken form; none or two files) and 413 `file_too_large`,
 * then 400 `file_type_not_accepted` and what the tool's own check finds.
 *
 * invoke: 415, 413 `request_too_large`, 400 `invalid_json`, 400 `unknown_parameter`, 400 `invalid_parameter`,
 * 400 `invalid_idempotency_key`, 409 `idempotency_key_reused` (or a replay), 404 `tool_not_found`,
 * 403 `tool_not_allowed`, 400 `invalid_parameter` (formats), 404 `file_not_found`, 400 `invalid_file` (another
 * tool's), 410 `file_expired`, 402 `insufficient_balance`, 402 `key_quota_exhausted`, 429 `too_many_tasks`.
 *
 * files: 404 `file_not_found`, 403 `tool_not_allowed`; deletion then 429 `file_in_use`.
 */
export class ToolsGroup extends HttpApiGroup.make("tools")
  .add(
    HttpApiEndpoint.get("list", "/v1/tools", { success: WireToolList }).annotateMerge(
      OpenApi.annotations({
        summary: "List tools",
        description: "The published tools that the key may use. Read prices, sizes and formats from here.",
      }),
    ),
    HttpApiEndpoint.post("upload", "/v1/tools/:tool_id/files", {
      params: { tool_id: Schema.String },
      payload: UploadForm,
      success: HttpApiSchema.WithHeaders(WireToolFile.pipe(HttpApiSchema.status(201)), {
        location: Schema.String.annotate({ description: "`/v1/tool-files/{id}`" }),
      }),
      error: [BadRequest, Forbidden, NotFound, ContentTooLarge, UnsupportedMediaType],
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Upload a file",
        description:
          "Multipart form with exactly one file. It is checked, kept 2 hours, bound to this key, and usable with this tool only. Uploading costs nothing.",
      }),
    ),
    HttpApiEndpoint.post("invoke", "/v1/tools/:tool_id/invoke", {
      params: { tool_id: Schema.String },
      headers: {
        "idempotency-key": Schema.optionalKey(
          Schema.String.annotate({
            description:
              "Required: 8 to 64 letters, digits, hyphens and underscores. A retry of the same operation uses the same key.",
          }),
        ),
      },
      payload: WireInvocation,
      success: accepted,
      error: [
        BadRequest,
        PaymentRequired,
        Forbidden,
        NotFound,
        Conflict,
        Gone,
        ContentTooLarge,
        UnsupportedMediaType,
      ],
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Parse an uploaded file",
        description:
          "Accepts a parse task and pre-deducts the fixed fee of the catalog. Failure refunds all of it.",
      }),
    ),
    HttpApiEndpoint.get("file", "/v1/tool-files/:file_id", {
      params: { file_id: Schema.String },
      success: WireToolFile,
      error: [Forbidden, NotFound],
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Get a file's metadata",
        description: "Stays readable after the file was removed, with `status` `deleted`.",
      }),
    ),
    HttpApiEndpoint.delete("deleteFile", "/v1/tool-files/:file_id", {
      params: { file_id: Schema.String },
      success: WireToolFile.pipe(HttpApiSchema.status(202)),
      error: [Forbidden, NotFound],
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Delete a file",
        description: "Requests deletion in the background. 429 `file_in_use` while a task needs the file.",
      }),
    ),
    HttpApiEndpoint.get("tasks", "/v1/tool-tasks", {
      success: listOf(WireToolTask).annotate({ identifier: "ToolTaskList" }),
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List parse tasks",
        description: "The key's 100 most recent ones with their accounting, in account quota units.",
      }),
    ),
  )
  .middleware(Authentication)
  .annotateMerge(
    OpenApi.annotations({
      title: "Document tools",
      description: "Upload a document, parse it, read it as Markdown and JSON.",
    }),
  ) {}
