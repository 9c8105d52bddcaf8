import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as Schema from "effect/Schema"
import { BadRequest } from "../ApiError.ts"
import {
  WireAuditOutcome,
  WireAuditPage,
  WireOverview,
  WirePluginList,
  WireSettingList,
  WireStats,
} from "../WireAdmin.ts"
import { about, page } from "./shared.ts"

const OverviewEvent = Schema.Struct({
  id: Schema.optionalKey(Schema.String),
  event: Schema.Literal("overview"),
  data: Schema.fromJsonString(WireOverview),
})

/** The service now. */
export const overview = [
  HttpApiEndpoint.get("overview", "/admin/v1/overview", { success: WireOverview }).annotateMerge(
    about(
      "Get the last hour of the service",
      "Tasks and money by minute, what waits, how long tasks took, and why tasks failed.",
    ),
  ),
  HttpApiEndpoint.get("overviewEvents", "/admin/v1/overview/events", {
    success: HttpApiSchema.StreamSse({ events: OverviewEvent }),
  }).annotateMerge(
    about(
      "Watch the last hour of the service",
      "Server-Sent Events `overview`, one every two seconds for half a minute; then connect again, with a credential that is still good.",
    ),
  ),
  HttpApiEndpoint.get("settings", "/admin/v1/settings", { success: WireSettingList }).annotateMerge(
    about(
      "List the settings in force",
      "Each with where it comes from: the environment, the configuration file, or its default. No secret is shown.",
    ),
  ),
  HttpApiEndpoint.get("plugins", "/admin/v1/plugins", { success: WirePluginList }).annotateMerge(
    about("List the plugins", "Each with the tools, adapters and models that it adds."),
  ),
] as const

/** Totals, and who changed what. */
export const records = [
  HttpApiEndpoint.get("stats", "/admin/v1/stats", {
    query: {
      check: Schema.optionalKey(
        Schema.Literals(["true", "false"]).annotate({
          description:
            "`true`: adds up every transfer and counts every row as well, which takes seconds for a million tasks.",
        }),
      ),
    },
    success: WireStats,
    error: BadRequest,
  }).annotateMerge(
    about(
      "Numbers of tasks, jobs and transfers; on request also whether they add up",
      "A consistent snapshot of totals that are kept. With `check=true` they are counted again and compared.",
    ),
  ),
  HttpApiEndpoint.get("audit", "/admin/v1/audit", {
    query: {
      actor: Schema.optionalKey(Schema.String),
      action: Schema.optionalKey(Schema.String),
      target: Schema.optionalKey(Schema.String),
      request_id: Schema.optionalKey(Schema.String),
      outcome: Schema.optionalKey(WireAuditOutcome),
      ...page,
    },
    success: WireAuditPage,
    error: BadRequest,
  }).annotateMerge(
    about(
      "List operators' changes and refused attempts",
      "Who changed what, or tried to, from where and in which request; newest first.",
    ),
  ),
] as const
