import type { Json } from "@atelier/core"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** The id of a request; a message without one is a notification. */
export type RpcId = string | number

/** A message of JSON-RPC 2.0 that asks for something, or tells of something. */
export interface RpcMessage {
  readonly id: RpcId | null
  readonly method: string
  readonly params: { readonly [name: string]: Json }
}

const Message = Schema.Struct({
  jsonrpc: Schema.Literal("2.0"),
  id: Schema.optionalKey(Schema.Union([Schema.String, Schema.Finite])),
  method: Schema.String,
  params: Schema.optionalKey(Schema.Record(Schema.String, Schema.Json)),
})
const decode = Schema.decodeUnknownOption(Message)

/** A message; undefined for what is none, batches included, which MCP has no longer. */
export const messageOf = (value: Json): RpcMessage | undefined =>
  Option.getOrUndefined(
    Option.map(decode(value), ({ id = null, method, params = {} }) => ({
      id,
      method,
      params: params as RpcMessage["params"],
    })),
  )

/** A client's answer to a request of ours, of which there are none. */
export const isAnswer = (value: Json): boolean =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  ("result" in value || "error" in value)

export const rpcCodes = {
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  notFound: -32002,
}

export const rpcResult = (id: RpcId, result: object) => ({ jsonrpc: "2.0", id, result })

export const rpcError = (id: RpcId | null, code: number, message: string) => ({
  jsonrpc: "2.0",
  id,
  error: { code, message },
})

/** Why a request cannot be answered; a tool's refusals are results instead. */
export class RpcRefusal extends Schema.TaggedError<RpcRefusal>()("RpcRefusal", {
  code: Schema.Number,
  message: Schema.String,
}) {}
