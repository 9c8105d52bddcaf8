import { randomUUID } from "node:crypto"
import { openAsBlob } from "node:fs"
import { basename, extname } from "node:path"
import { WireToolFile, WireToolList, WireToolTask } from "@atelier/api"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as ApiClient from "../ApiClient.ts"
import { CommandFailed } from "../CommandFailed.ts"
import { requireWritable, writing } from "../Outputs.ts"

/** Uploads a document, has it parsed, and prints the result, or saves it to a path that was checked beforehand. */
export const parse = Effect.fnUntraced(function* (
  input: ApiClient.Target & {
    readonly file: string
    readonly tool: Option.Option<string>
    readonly out: Option.Option<string>
    readonly json: boolean
  },
) {
  const client = yield* ApiClient.make(input)
  if (Option.isSome(input.out)) yield* requireWritable([input.out.value])
  const tool = Option.isSome(input.tool) ? input.tool.value : yield* toolFor(client, input.file)
  const form = new FormData()
  form.append("file", yield* reading(input.file), basename(input.file))
  const path = `/v1/tools/${encodeURIComponent(tool)}`
  const file = yield* client.json(WireToolFile, { method: "POST", path: `${path}/files`, body: form })
  const format = input.json ? "json" : "markdown"
  const { id } = yield* client.json(WireToolTask, {
    method: "POST",
    path: `${path}/invoke`,
    headers: { "content-type": "application/json", "idempotency-key": randomUUID() },
    body: JSON.stringify({ input: { file_id: file.id }, options: { output_formats: [format] } }),
  })
  const task = yield* client.wait(WireToolTask, id, ({ status }) => ["succeeded", "failed"].includes(status))
  if (task.error !== null) {
    return yield* new CommandFailed({ message: `${id} failed: ${task.error.message} (${task.error.code})` })
  }
  const result = yield* client.text({ path: `/v1/tasks/${id}/result?format=${format}` })
  if (Option.isNone(input.out)) return yield* Console.log(result)
  // What was paid for is not lost with the file.
  yield* Effect.tapError(writing(input.out.value, result), () => Console.log(result))
})

type Client = Effect.Success<ReturnType<typeof ApiClient.make>>

/** The cheapest tool that takes files of this extension. */
const toolFor = Effect.fnUntraced(function* (client: Client, file: string) {
  const { data } = yield* client.json(WireToolList, { path: "/v1/tools" })
  const extension = extname(file).toLowerCase()
  const fitting = data
    .filter(({ extensions }) => extensions.includes(extension))
    .toSorted((a, b) => a.pricing_display.unit_price - b.pricing_display.unit_price)
  if (fitting[0] !== undefined) return fitting[0].id
  const known = [...new Set(data.flatMap(({ extensions }) => extensions))].toSorted().join(" ")
  return yield* new CommandFailed({
    message: `no tool takes ${extension || "such"} files; taken are ${known}`,
  })
})

const reading = (file: string) =>
  Effect.tryPromise({
    try: () => openAsBlob(file),
    catch: () => new CommandFailed({ message: `cannot read the file ${JSON.stringify(file)}` }),
  })
