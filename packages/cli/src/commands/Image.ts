import { randomUUID } from "node:crypto"
import { type ImageRequest, TaskFailedError } from "@atelier/client"
import * as Option from "effect/Option"
import * as Record from "effect/Record"
import { asCaller } from "../Caller.ts"
import { wrongUsage } from "../CommandFailed.ts"
import type { Target } from "../Login.ts"
import { outputsOf, requireWritable } from "../Outputs.ts"
import { deliver } from "../saveImages.ts"

interface ImageInput extends Target {
  readonly prompt: string
  readonly model: string
  readonly size: Option.Option<string>
  readonly resolution: Option.Option<string>
  readonly quality: Option.Option<string>
  readonly n: Option.Option<number>
  readonly seed: Option.Option<number>
  readonly images: ReadonlyArray<string>
  readonly callbackUrl: Option.Option<string>
  readonly maxUsd: Option.Option<number>
  readonly idempotencyKey: Option.Option<string>
  readonly out: Option.Option<string>
  readonly json: boolean
}

/**
 * Submits an image task, waits for it, and prints where its images are; `out` saves them too. The output path is
 * checked before anything is paid for, and results that were paid for are printed even if saving them fails.
 */
export const image = (input: ImageInput) =>
  asCaller(input, async (caller) => {
    const { atelier, signal } = caller
    const out = Option.getOrUndefined(input.out)
    if (input.prompt.trim() === "") throw wrongUsage("expected a prompt that is not empty")
    if (out !== undefined)
      await requireWritable(
        outputsOf(
          out,
          Option.getOrElse(input.n, () => 1),
        ),
      )
    const idempotencyKey = Option.getOrElse(input.idempotencyKey, () => `cli-${randomUUID()}`)
    const progress = await caller.progress(input)
    try {
      caller.onStop(
        () => `stopped while submitting; the same command with --idempotency-key ${idempotencyKey} goes on`,
      )
      const { id } = await atelier.images.submit(requestOf(input), { idempotencyKey, signal })
      const again = `atelier tasks watch ${id}${out === undefined ? "" : ` --out ${JSON.stringify(out)}`}`
      caller.onStop(() => `${id} goes on; to come back to it: ${again}`)
      const task = await atelier.tasks.wait(id, { signal, onUpdate: (task) => progress.task(task) })
      progress.end()
      if (task.object !== "image.task" || task.state === "failed") throw new TaskFailedError(task)
      await deliver(caller, task, { out, json: input.json })
    } finally {
      progress.end()
    }
  })

const requestOf = (input: ImageInput): ImageRequest => {
  const { prompt, model, size, resolution, quality, n, seed, images } = input
  const given = Record.getSomes<string, string | number>({
    size,
    resolution,
    quality,
    n,
    seed,
    callback_url: input.callbackUrl,
    max_cost_usd: input.maxUsd,
  })
  return { model, prompt, ...given, ...(images.length === 0 ? {} : { images: [...images] }) }
}
