import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as Schema from "effect/Schema"
import { BadRequest, NotFound } from "../ApiError.ts"
import { WireDayList, WireSpenderList, WireTransferPage } from "../WireAdmin.ts"
import { about, page, params, requiredPeriod } from "./shared.ts"

/** Where the money went. */
export const ledger = [
  HttpApiEndpoint.get("ledger", "/admin/v1/ledger", {
    query: {
      user: Schema.optionalKey(Schema.String),
      task: Schema.optionalKey(Schema.String),
      ...page,
    },
    success: WireTransferPage,
    error: BadRequest,
  }).annotateMerge(
    about(
      "List ledger transfers",
      "Every movement of money, newest first: grants, holds, settlements and releases.",
    ),
  ),
  HttpApiEndpoint.get("ledgerCsv", "/admin/v1/ledger.csv", {
    query: { user: Schema.optionalKey(Schema.String), task: Schema.optionalKey(Schema.String) },
    success: Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/csv; charset=utf-8" })),
    error: BadRequest,
  }).annotateMerge(
    about(
      "Export the ledger as CSV",
      "Every transfer, or those of a user or a task, newest first, sent as it is read. A text that a spreadsheet would calculate begins with an apostrophe.",
    ),
  ),
  HttpApiEndpoint.get("spenders", "/admin/v1/spenders", {
    query: requiredPeriod,
    success: WireSpenderList,
    error: BadRequest,
  }).annotateMerge(
    about("List who was charged most", "At most 20 users, those who were charged most in the time first."),
  ),
  HttpApiEndpoint.get("spending", "/admin/v1/users/:id/spending", {
    params,
    query: requiredPeriod,
    success: WireDayList,
    error: [BadRequest, NotFound],
  }).annotateMerge(about("List what a user was charged by day", "Of the time that is asked for.")),
] as const
