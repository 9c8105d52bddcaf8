import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { BadRequest, Conflict, NotFound } from "../ApiError.ts"
import {
  WireAdminChannel,
  WireAdminChannelList,
  WireAdminModel,
  WireAdminModelList,
  WireAdminTool,
  WireAdminToolList,
  WireChannelPause,
  WireModelChange,
  WireToolChange,
} from "../WireAdmin.ts"
import { about, bodyErrors, headers, made, params, postErrors } from "./shared.ts"

/** What is offered, and the channels to upstreams. */
export const catalog = [
  HttpApiEndpoint.get("tools", "/admin/v1/tools", { success: WireAdminToolList }).annotateMerge(
    about(
      "List tools, unpublished ones included",
      "Every document tool of this server with its price and limit.",
    ),
  ),
  HttpApiEndpoint.get("tool", "/admin/v1/tools/:id", {
    params,
    success: WireAdminTool,
    error: NotFound,
  }).annotateMerge(about("Get a tool", "One document tool with its price and limit.")),
  HttpApiEndpoint.patch("updateTool", "/admin/v1/tools/:id", {
    params,
    payload: WireToolChange,
    success: WireAdminTool,
    error: [...bodyErrors, NotFound],
  }).annotateMerge(
    about(
      "Publish, price or limit a tool",
      "Sets the fields that are given, for tasks that are accepted from now on.",
    ),
  ),
  HttpApiEndpoint.get("models", "/admin/v1/models", { success: WireAdminModelList }).annotateMerge(
    about("List models, disabled ones included", "Every image model of this server with its prices."),
  ),
  HttpApiEndpoint.get("model", "/admin/v1/models/:id", {
    params,
    success: WireAdminModel,
    error: NotFound,
  }).annotateMerge(about("Get a model", "One image model with its prices.")),
  HttpApiEndpoint.patch("updateModel", "/admin/v1/models/:id", {
    params,
    payload: WireModelChange,
    success: WireAdminModel,
    error: [...bodyErrors, NotFound],
  }).annotateMerge(
    about(
      "Enable or price a model, or set its delivery",
      "Sets the fields that are given, for tasks that are accepted from now on.",
    ),
  ),
  HttpApiEndpoint.get("channels", "/admin/v1/channels", { success: WireAdminChannelList }).annotateMerge(
    about(
      "List channels",
      "Every configured channel to an upstream: its circuit breaker, whether it is paused, what is under way on it, how it failed last, and what its images cost beside what they are sold for.",
    ),
  ),
  HttpApiEndpoint.post("pauseChannel", "/admin/v1/channels/:id/pause", {
    params,
    headers,
    payload: WireChannelPause,
    success: made(WireAdminChannel),
    error: postErrors,
  }).annotateMerge(
    about(
      "Stop sending tasks to a channel",
      "In every process within a second, and after a restart too. What the channel accepted goes on; tasks that no other channel serves wait until their deadline.",
    ),
  ),
  HttpApiEndpoint.post("resumeChannel", "/admin/v1/channels/:id/resume", {
    params,
    headers,
    success: made(WireAdminChannel),
    error: [BadRequest, NotFound, Conflict],
  }).annotateMerge(about("Send tasks to a channel again", "Tasks that waited for it start within a minute.")),
] as const
