import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { Forbidden, Unavailable } from "./ApiError.ts"

/**
 * contract, Running it: for operators and their machines; needs no key. `ready` refuses with 503
 * `storage_unavailable` (its message says if a disk is full), or `shutting_down` if the process was asked to stop;
 * `metrics` with 403 `ip_not_allowed` (neither loopback nor the admin token).
 */
export class SystemGroup extends HttpApiGroup.make("system", { topLevel: true })
  .add(
    HttpApiEndpoint.get("home", "/", {
      success: Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/html; charset=utf-8" })),
    }).annotateMerge(
      OpenApi.annotations({
        summary: "The first page",
        description: "For people: what is here, and whether it is ready.",
      }),
    ),
    HttpApiEndpoint.get("alive", "/healthz", {
      success: Schema.Struct({ status: Schema.Literal("ok") }),
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Is the process alive?",
        description: "Answers as long as the process does.",
      }),
    ),
    HttpApiEndpoint.get("ready", "/readyz", {
      success: Schema.Struct({ status: Schema.Literal("ready") }),
      error: Unavailable,
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Is the process ready?",
        description: "Whether storage answers and is migrated, and the process accepts requests.",
      }),
    ),
    HttpApiEndpoint.get("metrics", "/metrics", {
      success: Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/plain; version=0.0.4" })),
      error: [Forbidden, Unavailable],
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Prometheus metrics",
        description: "From loopback, or with the admin token.",
      }),
    ),
    HttpApiEndpoint.get("openapi", "/openapi.json", { success: Schema.Json }).annotateMerge(
      OpenApi.annotations({
        summary: "This document",
        description: "OpenAPI 3.1, the same for every caller.",
      }),
    ),
    HttpApiEndpoint.get("docs", "/docs", {
      success: Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/html; charset=utf-8" })),
    }).annotateMerge(
      OpenApi.annotations({
        summary: "This document, to read",
        description: "A page that works without scripts.",
      }),
    ),
  )
  .annotateMerge(
    OpenApi.annotations({
      title: "System",
      description: "For people who look around and for machines that watch; needs no key.",
    }),
  ) {}
