import { hash } from "node:crypto"
import {
  extensionOf,
  formatUsd,
  type GivenImage,
  ImageTasks,
  type Json,
  Limits,
  type Principal,
  refuse,
  StorageError,
  type Task,
  Tasks,
  ToolCatalog,
  ToolFiles,
  ToolTasks,
  UnitsPerUsd,
  unitsFromUsd,
  usdFromUnits,
  Wallet,
} from "@atelier/core"
import * as BigDecimal from "effect/BigDecimal"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Hex from "effect/encoding/Hex"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { Exchange } from "../Answer.ts"
import { refuseHttp } from "../HttpRefusal.ts"
import { schemaProblem } from "../SchemaProblem.ts"
import { Settings } from "../ServerSettings.ts"
import type { Failure } from "../toApiError.ts"
import { toWireBalance, toWireQuote, usdNumber } from "../toWire.ts"
import { makeSpool } from "../Upload.ts"
import * as Inputs from "./Inputs.ts"
import type { ToolResult } from "./Results.ts"
import { SessionCosts } from "./SessionCosts.ts"

/** A call of a tool, with what its request says besides. */
export interface ToolCall {
  readonly principal: Principal
  /** The arguments as they came. */
  readonly input: Json
  /** Names the request within its session, so that a repetition of it is not paid again; null without a session. */
  readonly requestKey: string | null
  /** The most that the calls of the session may cost, in US dollars; null: no ceiling. */
  readonly session: { readonly name: string; readonly ceilingUsd: BigDecimal.BigDecimal } | null
}

/** What a call began: nothing that takes time, or a task that is waited for. */
export type Begun =
  | { readonly _tag: "Done"; readonly result: ToolResult }
  | { readonly _tag: "Task"; readonly id: string; readonly seconds: number }

type Run = (call: ToolCall) => Effect.Effect<Begun, Failure, Scope.Scope>

export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: Schema.Top
  readonly readOnly: boolean
  readonly run: Run
}

/** The tools of `/mcp`, by the same services as the endpoints of `/v1`: the same rules, prices and bills. */
export const makeTools = Effect.gen(function* () {
  const catalog = yield* ToolCatalog
  const files = yield* ToolFiles
  const fs = yield* FileSystem.FileSystem
  const images = yield* ImageTasks
  const limits = yield* Limits
  const random = yield* SecureRandom
  const { spoolDirectory } = yield* Settings
  const tasks = yield* Tasks
  const toolTasks = yield* ToolTasks
  const unitsPerUsd = yield* UnitsPerUsd
  const wallet = yield* Wallet
  const spool = yield* makeSpool(spoolDirectory)
  const costs = new SessionCosts()

  const priceOf = (units: number) => usdFromUnits(units, unitsPerUsd)

  /** Room under the ceiling of the session; given back where nothing new was accepted. */
  const within = Effect.fnUntraced(function* <A extends { readonly replayed: boolean }>(
    { session, principal }: ToolCall,
    units: number,
    submit: Effect.Effect<A, Failure, Scope.Scope>,
  ) {
    if (session === null) return yield* submit
    const name = `${principal.key.id} ${session.name}`
    const giveBack = costs.take(name, units, unitsFromUsd(session.ceilingUsd, unitsPerUsd))
    if (giveBack === null) {
      return yield* refuse(
        "max_cost_exceeded",
        `The call costs ${formatUsd(priceOf(units))} USD; this session has cost ${formatUsd(priceOf(costs.spent(name)))} USD and may cost ${formatUsd(session.ceilingUsd)} USD in all.`,
      )
    }
    const outcome = yield* Effect.onError(submit, () => Effect.sync(giveBack))
    if (outcome.replayed) giveBack()
    return outcome
  })

  /** Bytes of an argument in a file of the spool, for as long as the call. */
  const spooled = Effect.fnUntraced(
    function* (bytes: Uint8Array) {
      const path = yield* fs.makeTempFileScoped({ directory: spool })
      yield* fs.writeFile(path, bytes)
      return { path, bytes: bytes.length, sha256: hash("sha256", bytes) }
    },
    Effect.mapError((cause) => new StorageError({ operation: "mcp.spool", cause })),
  )

  const given = (base64: string, index: number) =>
    Effect.gen(function* () {
      const bytes = yield* decodeBase64(base64, `images_base64.${index}`)
      const image: GivenImage = {
        ...(yield* spooled(bytes)),
        param: "image",
        filename: "image",
        begin: bytes.subarray(0, 64),
      }
      return image
    })

  const makeImage = Effect.fnUntraced(function* (
    call: ToolCall,
    input: typeof Inputs.GenerateImage.Type | EditInput,
  ) {
    const { idempotency_key, wait_seconds: _, model = imageModel, ...rest } = input
    const { images_base64 = [], ...fields }: Pick<EditInput, "images_base64"> & typeof rest = rest
    const body = { ...fields, model }
    const { requestId } = yield* Exchange
    const sent = images_base64.length === 0 ? undefined : yield* Effect.forEach(images_base64, given)
    const { units } = yield* images.quote(call.principal, body, sent?.length)
    const key = idempotency_key ?? call.requestKey
    const before = key === null ? null : yield* known(call.principal, key)
    const submission = images.submit({
      principal: call.principal,
      body,
      idempotencyKey: key,
      requestId,
      ...(sent === undefined ? {} : { files: { images: sent, mask: null } }),
    })
    const { value } = yield* within(call, before === null ? units : 0, submission)
    return begunWith(value.id, input)
  })

  const toolFor = Effect.fnUntraced(function* (principal: Principal, filename: string) {
    const extension = extensionOf(filename)
    const entries = (yield* catalog.list(principal)).filter(({ executor }) =>
      executor.definition.extensions.includes(extension),
    )
    // The tool that takes the fewest kinds of files was made for them.
    const [best] = entries.toSorted(
      (a, b) =>
        a.executor.definition.extensions.length - b.executor.definition.extensions.length ||
        BigDecimal.Order(a.unitPrice, b.unitPrice),
    )
    if (best !== undefined) return best.executor.definition.id
    const message = `No tool of this key takes ${extension === "" ? "a name without an extension" : extension}.`
    return yield* refuseHttp("file_type_not_accepted", message, { param: "filename" })
  })

  /** Under a key that was used before the file is not uploaded again: the task is there. */
  const known = (principal: Principal, key: string) =>
    Effect.matchEffect(tasks.findByIdempotencyKey(principal, key), {
      onSuccess: (task) => Effect.succeed<Task | null>(task),
      onFailure: (error) =>
        error._tag === "CoreError" && error.code === "task_not_found"
          ? Effect.succeed(null)
          : Effect.fail(error),
    })

  const uploaded = Effect.fnUntraced(function* (
    principal: Principal,
    tool: string,
    filename: string,
    base64: string,
  ) {
    const bytes = yield* decodeBase64(base64, "content_base64")
    yield* files.admit(principal, tool)
    const content =
      bytes.length <= limits.small_document_bytes_max
        ? { data: bytes, bytes: bytes.length, sha256: hash("sha256", bytes) }
        : yield* spooled(bytes)
    return (yield* files.upload(principal, tool, { ...content, filename })).id
  })

  /** Another document under the same key is another request. */
  const requireSame = Effect.fnUntraced(function* (
    principal: Principal,
    task: Task,
    { content_base64: content, file_id: id }: typeof Inputs.ParseDocument.Type,
  ) {
    const file = task.kind === "tool" ? yield* files.get(principal, task.fileId) : undefined
    const isSame =
      content === undefined
        ? file?.id === id
        : file?.sha256 === hash("sha256", yield* decodeBase64(content, "content_base64"))
    if (isSame) return
    return yield* refuse(
      "idempotency_key_reused",
      `The idempotency key was used for ${task.id}, which is for something else; a new request needs a new key.`,
    )
  })

  const parseDocument = Effect.fnUntraced(function* (
    call: ToolCall,
    input: typeof Inputs.ParseDocument.Type,
  ) {
    const { principal } = call
    const { content_base64: content, file_id, filename, max_cost_usd: ceiling } = input
    const key = input.idempotency_key ?? call.requestKey ?? `mcp-${Hex.encode(yield* random.randomBytes(16))}`
    const before = yield* known(principal, key)
    if (before !== null) {
      yield* requireSame(principal, before, input)
      return begunWith(before.id, input)
    }
    if ((file_id === undefined) === (content === undefined)) {
      return yield* refuseHttp(
        "invalid_parameter",
        "Give either `content_base64` with `filename`, or `file_id`.",
      )
    }
    const name = content === undefined ? "" : filename
    if (name === undefined) return yield* missing("filename")
    const tool =
      input.tool ?? (content === undefined ? yield* missing("tool") : yield* toolFor(principal, name))
    const { unitPrice } = yield* catalog.resolve(principal, tool)
    const most = ceiling === undefined ? Option.none() : BigDecimal.fromNumber(ceiling)
    if (Option.isSome(most) && BigDecimal.isGreaterThan(unitPrice, most.value)) {
      return yield* refuse(
        "max_cost_exceeded",
        `The document costs ${formatUsd(unitPrice)} USD, more than \`max_cost_usd\` ${ceiling} USD.`,
        { param: "max_cost_usd" },
      )
    }
    const { requestId } = yield* Exchange
    const invoke = (fileId: string) =>
      toolTasks.invoke({ principal, toolId: tool, fileId, idempotencyKey: key, requestId })
    const submission =
      file_id === undefined
        ? Effect.flatMap(uploaded(principal, tool, name, content ?? ""), (fileId) =>
            // The caller does not know of the file, and cannot delete it. One that a task uses stays.
            Effect.tapError(invoke(fileId), () => Effect.ignore(files.remove(principal, fileId))),
          )
        : invoke(file_id)
    const { value } = yield* within(call, unitsFromUsd(unitPrice, unitsPerUsd), submission)
    return begunWith(value.id, input)
  })

  const quote = Effect.fnUntraced(function* (call: ToolCall, input: typeof Inputs.Quote.Type) {
    const { tool, model = imageModel, prompt = "quote", ...rest } = input
    if (tool !== undefined) {
      const { unitPrice } = yield* catalog.resolve(call.principal, tool)
      const units = unitsFromUsd(unitPrice, unitsPerUsd)
      return done(`${formatUsd(unitPrice)} USD per document`, {
        quota_units: units,
        usd: usdNumber(unitPrice),
      })
    }
    const body = { ...rest, model, prompt }
    const priced = toWireQuote(yield* images.quote(call.principal, body))
    return done(`${priced.usd} USD`, priced)
  })

  const balance = Effect.fnUntraced(function* ({ principal }: ToolCall) {
    const account = toWireBalance(yield* wallet.account(principal))
    return done(`${formatUsd(priceOf(account.wallet))} USD can be spent`, account)
  })

  const tools: ReadonlyArray<Tool> = [
    tool(
      "generate_image",
      "Generate an image",
      "Makes images of a prompt. Costs money: the price is in the result, and quote tells it before.",
      Inputs.GenerateImage,
      false,
      makeImage,
    ),
    tool(
      "edit_image",
      "Edit an image",
      "Edits one or more images by a prompt. Costs money, also for each image given.",
      Inputs.EditImage,
      false,
      makeImage,
    ),
    tool(
      "parse_document",
      "Parse a document",
      "Turns a document (PDF, DOCX, PPTX, XLSX, HTML, text and others) into Markdown. Costs money, for each document. Read the warnings: text in scans and pictures is not recognised.",
      Inputs.ParseDocument,
      false,
      parseDocument,
    ),
    tool(
      "get_task",
      "Get a task",
      "The state of a task, and its result once it is done. Costs nothing.",
      Inputs.GetTask,
      true,
      (_call, input) => Effect.succeed(begunWith(input.task_id, input)),
    ),
    tool(
      "quote",
      "Price a call",
      "What generate_image, edit_image or parse_document would cost. Costs nothing.",
      Inputs.Quote,
      true,
      quote,
    ),
    tool(
      "balance",
      "Show the balance",
      "What the account can spend, and the quota of this key.",
      Inputs.Balance,
      true,
      balance,
    ),
  ]
  return tools
})

const imageModel = "gen-image-2"

type EditInput = typeof Inputs.EditImage.Type

const tool = <A>(
  name: string,
  title: string,
  description: string,
  input: Schema.Codec<A, unknown> | Schema.Codec<A, A>,
  readOnly: boolean,
  run: (call: ToolCall, input: A) => Effect.Effect<Begun, Failure, Scope.Scope>,
): Tool => {
  const decode = Schema.decodeUnknownEffect(input as Schema.Codec<A, unknown>, {
    errors: "all",
    onExcessProperty: "error",
  })
  return {
    name,
    title,
    description,
    input,
    readOnly,
    run: (call) =>
      Effect.flatMap(
        Effect.mapError(decode(call.input), (error) => schemaProblem(error, call.input)),
        (decoded) => run(call, decoded),
      ),
  }
}

const begunWith = (id: string, input: { readonly wait_seconds?: number }): Begun => ({
  _tag: "Task",
  id,
  seconds: Inputs.waitSecondsOf(input),
})

const done = (text: string, structuredContent: object): Begun => ({
  _tag: "Done",
  result: { content: [{ type: "text", text: `${text}.` }], structuredContent },
})

const missing = (param: string) =>
  refuseHttp("invalid_parameter", `\`${param}\` is required here.`, { param })

const decodeBase64 = (text: string, param: string): Effect.Effect<Uint8Array<ArrayBuffer>, Failure> =>
  text !== "" && text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)
    ? Effect.succeed(new Uint8Array(Buffer.from(text, "base64")))
    : Effect.fail(refuseHttp("invalid_parameter", `\`${param}\` must be Base64 (RFC 4648, 4).`, { param }))
