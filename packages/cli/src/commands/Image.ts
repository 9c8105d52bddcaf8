import { randomUUID } from "node:crypto"
import { writeFile } from "node:fs/promises"
import { extname } from "node:path"
import { WireImageSubmission, WireImageTask } from "@atelier/api"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Record from "effect/Record"
import * as ApiClient from "../ApiClient.ts"
import { CommandFailed } from "../CommandFailed.ts"
import { print } from "../Output.ts"

/** Submits an image task, waits for it, and prints where its images are; `out` stores them too. */
export const image = Effect.fnUntraced(function* (
  input: ApiClient.Target & {
    readonly prompt: string
    readonly model: string
    readonly size: Option.Option<string>
    readonly resolution: Option.Option<string>
    readonly quality: Option.Option<string>
    readonly n: Option.Option<number>
    readonly out: Option.Option<string>
    readonly json: boolean
  },
) {
  const client = yield* ApiClient.make(input)
  const { prompt, model } = input
  const { size, resolution, quality, n } = input
  const given = Record.getSomes<string, string | number>({ size, resolution, quality, n })
  const { task_id } = yield* client.json(WireImageSubmission, {
    method: "POST",
    path: "/v1/images/tasks",
    headers: { "content-type": "application/json", "idempotency-key": randomUUID() },
    body: JSON.stringify({ model, prompt, ...given }),
  })
  const task = yield* client.wait(WireImageTask, task_id, ({ state }) =>
    ["completed", "failed", "unknown"].includes(state),
  )
  if (task.state !== "completed") {
    const why = task.error === null ? task.state : `${task.error.message} (${task.error.code})`
    return yield* new CommandFailed({ message: `${task.id} ${task.state}: ${why}` })
  }
  const urls = (task.assets ?? []).map(({ url }) => url)
  const files = Option.isNone(input.out) ? [] : yield* store(client, urls, input.out.value)
  yield* print(input.json, files.length === 0 ? task : { ...task, files }, () => [...urls, ...files])
})

type Client = Effect.Success<ReturnType<typeof ApiClient.make>>

/** The first image as `out`, the others beside it as `out-2`, `out-3` and so on. */
const store = (client: Client, urls: ReadonlyArray<string>, out: string) =>
  Effect.forEach(urls, (url, index) => {
    const extension = extname(out)
    const stem = extension === "" ? out : out.slice(0, -extension.length)
    const file = index === 0 ? out : `${stem}-${index + 1}${extension}`
    return client.bytes({ path: url }).pipe(
      Effect.flatMap((body) => writing(file, body)),
      Effect.as(file),
    )
  })

/** Writes a file that the user named. */
export const writing = (file: string, body: Uint8Array | string) =>
  Effect.tryPromise({
    try: () => writeFile(file, body),
    catch: (cause) => new CommandFailed({ message: `cannot write ${file}: ${String(cause)}` }),
  })
