import { randomUUID } from "node:crypto"
import { WireImageSubmission, WireImageTask } from "@atelier/api"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Record from "effect/Record"
import * as ApiClient from "../ApiClient.ts"
import { CommandFailed } from "../CommandFailed.ts"
import { outputsOf, requireWritable, writing } from "../Outputs.ts"

/**
 * Submits an image task, waits for it, and prints where its images are; `out` saves them too. The output path is
 * checked before anything is paid for, and results that were paid for are printed even if saving them fails.
 */
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
  const { size, resolution, quality, n, out } = input
  if (Option.isSome(out)) {
    yield* requireWritable(
      outputsOf(
        out.value,
        Option.getOrElse(n, () => 1),
      ),
    )
  }
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
  if (!input.json) yield* Console.log(urls.join("\n"))
  const saved = Option.isNone(out) ? [] : yield* store(client, urls, out.value)
  const files = saved.flatMap((each) => (each._tag === "Success" ? [each.success] : []))
  if (input.json) yield* Console.log(JSON.stringify(files.length === 0 ? task : { ...task, files }, null, 2))
  else if (files.length > 0) yield* Console.log(files.join("\n"))
  const failed = saved.find((each) => each._tag === "Failure")
  if (failed !== undefined) {
    const message = `${task.id} is done and paid; its addresses are above. ${failed.failure.message}`
    return yield* new CommandFailed({ message })
  }
})

type Client = Effect.Success<ReturnType<typeof ApiClient.make>>

/** Saves the images; one that cannot be downloaded or written does not stop the others. */
const store = (client: Client, urls: ReadonlyArray<string>, out: string) =>
  Effect.forEach(outputsOf(out, urls.length), (file, index) =>
    client.bytes({ path: urls[index] ?? "" }).pipe(
      Effect.flatMap((body) => writing(file, body)),
      Effect.as(file),
      Effect.result,
    ),
  )
