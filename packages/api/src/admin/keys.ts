import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { NotFound } from "../ApiError.ts"
import {
  WireKey,
  WireKeyList,
  WireKeySettings,
  WireNewKey,
  WireRotatedKey,
  WireRotatedWebhookSecret,
  WireRotation,
} from "../WireAdmin.ts"
import { about, bodyErrors, headers, made, params, postErrors } from "./shared.ts"

/** API keys of customers. */
export const keys = [
  HttpApiEndpoint.get("keys", "/admin/v1/users/:id/keys", {
    params,
    success: WireKeyList,
    error: NotFound,
  }).annotateMerge(about("List a user's keys", "Every key of the user, without secrets.")),
  HttpApiEndpoint.post("createKey", "/admin/v1/users/:id/keys", {
    params,
    headers,
    payload: WireKeySettings,
    success: made(WireNewKey.pipe(HttpApiSchema.status(201))),
    error: postErrors,
  }).annotateMerge(
    about(
      "Create an API key; only this answer shows it",
      "Absent settings leave the key without that limit. Keep `key` and `webhook_secret`: no other answer has them.",
    ),
  ),
  HttpApiEndpoint.get("key", "/admin/v1/keys/:id", {
    params,
    success: WireKey,
    error: NotFound,
  }).annotateMerge(about("Get an API key, without its secret", "The key's settings, and what it has spent.")),
  HttpApiEndpoint.patch("updateKey", "/admin/v1/keys/:id", {
    params,
    payload: WireKeySettings,
    success: WireKey,
    error: [...bodyErrors, NotFound],
  }).annotateMerge(about("Change an API key", "Sets the fields that are given, and leaves the others.")),
  HttpApiEndpoint.post("rotateKey", "/admin/v1/keys/:id/rotate", {
    params,
    headers,
    payload: WireRotation,
    success: made(WireRotatedKey),
    error: postErrors,
  }).annotateMerge(
    about(
      "Give an API key a new secret; the old one stays valid for the overlap",
      "The overlap is 24 hours unless `overlap_seconds` says otherwise; 0 makes the old secret void at once.",
    ),
  ),
  HttpApiEndpoint.post("rotateWebhookSecret", "/admin/v1/keys/:id/rotate-webhook-secret", {
    params,
    headers,
    payload: WireRotation,
    success: made(WireRotatedWebhookSecret),
    error: postErrors,
  }).annotateMerge(
    about(
      "Give a key a new webhook secret; both sign during the overlap",
      "The overlap is 24 hours unless `overlap_seconds` says otherwise. Verifiers of Standard Webhooks accept either signature.",
    ),
  ),
] as const
