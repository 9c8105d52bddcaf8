import { hash } from "node:crypto"
import { isFinal, type Json, Limits, type Principal, parseUsd, Tasks } from "@atelier/core"
import * as Context from "effect/Context"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Hex from "effect/encoding/Hex"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { Admission } from "../Admission.ts"
import { json, respond, streamed } from "../Answer.ts"
import type { Bodies } from "../Bodies.ts"
import { jsonBody } from "../Body.ts"
import { Drain } from "../Drain.ts"
import { refuseHttp } from "../HttpRefusal.ts"
import { Readers } from "../Readers.ts"
import { Settings } from "../ServerSettings.ts"
import { type Failure, toApiError } from "../toApiError.ts"
import { toWireTask } from "../toWire.ts"
import {
  isAnswer,
  messageOf,
  type RpcId,
  type RpcMessage,
  RpcRefusal,
  rpcCodes,
  rpcError,
  rpcResult,
} from "./JsonRpc.ts"
import { makeRendering, type ToolResult } from "./Results.ts"
import { type Begun, makeTools, type Tool, type ToolCall } from "./ToolCalls.ts"

/** Where MCP clients connect (contract, Endpoints and commands). */
export const mcpPath = "/mcp"

/** A route beside the contract: no endpoint annotates it. */
const route = { annotations: Context.empty() }

/** Revisions of the protocol, the newest first. */
const revisions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]
/** Finished tasks that a list of resources names. */
const resourcesMax = 50
const sessionHeader = "mcp-session-id"
const ceilingHeader = "atelier-session-max-cost-usd"

type Services = HttpServerRequest.HttpServerRequest | Bodies
type Response = HttpServerResponse.HttpServerResponse

/**
 * The Model Context Protocol over streamable HTTP: a request is a message, its answer JSON, or events where the client
 * asks for progress. No state is kept between requests but what sessions cost: any process answers any of them.
 * Refuses as HTTP, in this order: 403 `origin_not_allowed`, what `Admission` refuses, what a JSON body is refused
 * for. Refusals of a tool are its result (`isError`), in the words and codes of `/v1`.
 */
export const layer = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const { admit } = yield* Admission
    const { ending } = yield* Drain
    const limits = yield* Limits
    const random = yield* SecureRandom
    const readers = yield* Readers
    const { corsOrigins, mediaUrl, publicUrl } = yield* Settings
    const tasks = yield* Tasks
    const rendered = yield* makeRendering
    const tools = yield* makeTools
    const listed = { tools: tools.map(toListed) }
    const origins: ReadonlySet<string> = new Set([new URL(publicUrl).origin, ...corsOrigins])

    /** A page of another origin reaches a server on a private address by a name that it rebinds. */
    const requireOrigin = ({ headers: { origin } }: HttpServerRequest.HttpServerRequest) =>
      origin === undefined || origins.has(origin)
        ? Effect.void
        : Effect.fail(
            refuseHttp(
              "origin_not_allowed",
              `Pages of ${JSON.stringify(origin.slice(0, 200))} may not call this service.`,
            ),
          )

    const wait = (principal: Principal, id: string, seconds: number) =>
      Effect.raceFirst(
        tasks.wait(principal, id, seconds),
        Effect.andThen(ending.await, tasks.get(principal, id)),
      )

    /** The result of a call, or the state of its task after that many seconds. */
    const finish = (principal: Principal, begun: Begun, id: RpcId, seconds: number) => {
      const result: Effect.Effect<ToolResult, Failure> =
        begun._tag === "Done"
          ? Effect.succeed(begun.result)
          : Effect.flatMap(wait(principal, begun.id, seconds), (task) => rendered(principal, task))
      return result.pipe(
        Effect.catch((failure) => Effect.succeed(refusedWith(failure))),
        Effect.map((it) => rpcResult(id, it)),
      )
    }

    const callTool = Effect.fnUntraced(function* (message: RpcMessage, id: RpcId, principal: Principal) {
      const request = yield* HttpServerRequest.HttpServerRequest
      const { name, arguments: input = {}, _meta } = message.params
      const tool = tools.find((each) => each.name === name)
      if (tool === undefined) {
        return yield* new RpcRefusal({
          code: rpcCodes.invalidParams,
          message: `There is no tool ${JSON.stringify(name)}.`,
        })
      }
      const call = yield* callOf(request, principal, id, tool, input)
      yield* readers.enter
      const begun = yield* Effect.result(Effect.scoped(tool.run(call)))
      if (begun._tag === "Failure") return json(rpcResult(id, refusedWith(begun.failure)))
      const token = tokenOf(_meta)
      const wantsEvents = token !== undefined && /text\/event-stream/.test(request.headers["accept"] ?? "")
      if (!wantsEvents || begun.success._tag === "Done") {
        const seconds = begun.success._tag === "Done" ? 0 : begun.success.seconds
        return json(yield* finish(principal, begun.success, id, seconds))
      }
      // The call's time is over with the changes.
      const result = finish(principal, begun.success, id, 0)
      return yield* withProgress(principal, begun.success, token, result)
    })

    /** Progress as events, then the result. */
    const withProgress = (
      principal: Principal,
      begun: Extract<Begun, { _tag: "Task" }>,
      progressToken: RpcId,
      result: Effect.Effect<object>,
    ) => {
      const changes = tasks.changes(principal, begun.id).pipe(
        Stream.zipWithIndex,
        Stream.map(([task, index]) => ({
          jsonrpc: "2.0",
          method: "notifications/progress",
          params: {
            progressToken,
            progress: index + 1,
            message: `${begun.id}: ${task.state}${task.kind === "image" && task.progress > 0 ? `, ${task.progress} %` : ""}`,
          },
        })),
        Stream.interruptWhen(Effect.sleep(begun.seconds * 1000)),
        Stream.interruptWhen(ending.await),
      )
      const messages = Stream.concat(changes, Stream.fromEffect(result))
      return streamed(
        Stream.map(messages, (message) =>
          new TextEncoder().encode(`event: message\ndata: ${JSON.stringify(message)}\n\n`),
        ),
        {
          contentType: "text/event-stream",
          headers: { "cache-control": "no-store", "x-accel-buffering": "no" },
        },
      )
    }

    const resources = Effect.fnUntraced(function* (principal: Principal) {
      const states = ["completed", "succeeded"]
      const finished = yield* tasks.list(principal, { states, limit: resourcesMax })
      return {
        resources: finished.map((task) => ({
          uri: `atelier://tasks/${task.id}`,
          name: task.id,
          title: task.kind === "image" ? task.request.prompt.slice(0, 80) : task.toolId,
          mimeType: "application/json",
        })),
      }
    })

    const resource = Effect.fnUntraced(function* (principal: Principal, uri: Json | undefined) {
      const [, id] = /^atelier:\/\/tasks\/([0-9a-z_]{1,64})$/.exec(String(uri)) ?? []
      const found = id === undefined ? Option.none() : yield* Effect.option(tasks.get(principal, id))
      if (Option.isNone(found)) {
        return yield* new RpcRefusal({
          code: rpcCodes.notFound,
          message: `There is no resource ${JSON.stringify(uri)}.`,
        })
      }
      const task = found.value
      const text = JSON.stringify(toWireTask(task, mediaUrl))
      const contents: Array<object> = [{ uri, mimeType: "application/json", text }]
      if (task.kind === "tool" && isFinal(task.state)) {
        const { content } = yield* rendered(principal, task)
        const [markdown] = content
        if (markdown?.type === "text") contents.push({ uri, mimeType: "text/markdown", text: markdown.text })
      }
      return { contents }
    })

    const answer = Effect.fnUntraced(function* (message: RpcMessage, id: RpcId, principal: Principal) {
      switch (message.method) {
        case "initialize": {
          const session = Hex.encode(yield* random.randomBytes(16))
          return json(rpcResult(id, initialized(message.params["protocolVersion"])), {
            headers: { [sessionHeader]: session },
          })
        }
        case "ping":
          return json(rpcResult(id, {}))
        case "tools/list":
          return json(rpcResult(id, listed))
        case "tools/call":
          return yield* callTool(message, id, principal)
        case "resources/list":
          return json(rpcResult(id, yield* resources(principal)))
        case "resources/templates/list":
          return json(rpcResult(id, { resourceTemplates: [taskTemplate] }))
        case "resources/read":
          return json(rpcResult(id, yield* resource(principal, message.params["uri"])))
        default:
          return yield* new RpcRefusal({
            code: rpcCodes.methodNotFound,
            message: `There is no method ${JSON.stringify(message.method.slice(0, 100))}.`,
          })
      }
    })

    const handle: Effect.Effect<Response, Failure, Services> = Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      yield* requireOrigin(request)
      const [, token = ""] = /^Bearer +(\S+)$/i.exec(request.headers["authorization"] ?? "") ?? []
      const principal = yield* admit(request, token)
      const body = yield* jsonBody(limits.json_body_blend_bytes_max)
      if (isAnswer(body)) return HttpServerResponse.empty({ status: 202 })
      const message = messageOf(body)
      if (message === undefined) {
        return json(rpcError(null, rpcCodes.invalidRequest, "The body must be one JSON-RPC 2.0 message."), {
          status: 400,
        })
      }
      const { id } = message
      if (id === null) return HttpServerResponse.empty({ status: 202 })
      return yield* Effect.catchTag(answer(message, id, principal), "RpcRefusal", ({ code, message }) =>
        Effect.succeed(json(rpcError(id, code, message))),
      )
    })

    yield* router.add("POST", mcpPath, respond(route, handle))
  }),
)

/** What a call's request says besides its arguments. */
const callOf = Effect.fnUntraced(function* (
  { headers }: HttpServerRequest.HttpServerRequest,
  principal: Principal,
  id: RpcId,
  tool: Tool,
  input: Json,
): Effect.fn.Return<ToolCall, Failure> {
  const session = headers[sessionHeader]
  const requestKey =
    session === undefined
      ? null
      : `mcp-${hash("sha256", JSON.stringify([session, id, tool.name, input])).slice(0, 40)}`
  const ceiling = headers[ceilingHeader]
  if (ceiling === undefined) return { principal, input, requestKey, session: null }
  const ceilingUsd = Option.getOrUndefined(parseUsd(ceiling))
  if (ceilingUsd === undefined || session === undefined) {
    const problem = `The header ${ceilingHeader} must be an amount of US dollars, in a session; got ${JSON.stringify(ceiling.slice(0, 40))}.`
    return yield* refuseHttp("invalid_parameter", problem)
  }
  return { principal, input, requestKey, session: { name: hash("sha256", session), ceilingUsd } }
})

const tokenOf = (meta: Json | undefined): RpcId | undefined => {
  const token =
    typeof meta === "object" && meta !== null && !Array.isArray(meta)
      ? (meta as { readonly progressToken?: Json }).progressToken
      : undefined
  return typeof token === "string" || typeof token === "number" ? token : undefined
}

const initialized = (asked: Json | undefined) => ({
  protocolVersion: revisions.find((each) => each === asked) ?? revisions[0],
  capabilities: { tools: {}, resources: {} },
  serverInfo: { name: "atelier", title: "Atelier", version: "0.1.0" },
  instructions:
    "Makes images and turns documents into Markdown, for money. Ask quote for a price. A call that is not done in time answers with a task id: go on with get_task, and do not call the tool again.",
})

const taskTemplate = {
  uriTemplate: "atelier://tasks/{id}",
  name: "task",
  title: "A task and its result",
  mimeType: "application/json",
}

const toListed = ({ name, title, description, input, readOnly }: Tool) => ({
  name,
  title,
  description,
  // A struct without fields has another schema than an object's.
  inputSchema: {
    type: "object",
    ...Schema.toJsonSchemaDocument(input, { onExcessProperty: "error" }).schema,
  },
  annotations: {
    title,
    readOnlyHint: readOnly,
    destructiveHint: false,
    idempotentHint: readOnly,
    openWorldHint: !readOnly,
  },
})

/** A refusal as a tool's result, with the code and the message of `/v1`. */
const refusedWith = (failure: Failure): ToolResult => {
  const { body } = toApiError(failure, "tools")
  const { error, ...task } = body
  return {
    content: [{ type: "text", text: `${error.code}: ${error.message}` }],
    structuredContent: { error, ...task },
    isError: true,
  }
}
