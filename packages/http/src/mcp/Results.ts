import { basename } from "node:path"
import {
  formatUsd,
  type ImageAsset,
  isFinal,
  Media,
  type Principal,
  type Task,
  ToolTasks,
  UnitsPerUsd,
  usdFromUnits,
} from "@atelier/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { Settings } from "../ServerSettings.ts"
import { toWireTask, usdNumber } from "../toWire.ts"
import { makeThumbnails } from "./Thumbnails.ts"

/** Images that are not larger come inside the result as they are; of the others a thumbnail does, beside the link. */
const inlineImageBytesMax = 256 * 1024
const inlineImages = 4
/** What every client can show. */
const inlineTypes: ReadonlySet<string> = new Set(["image/png", "image/jpeg"])
/** Longest Markdown of a result; the rest is behind `GET /v1/tasks/{id}/result`. */
const markdownCharsMax = 200_000

type Content =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly data: string; readonly mimeType: string }
  | { readonly type: "resource_link"; readonly uri: string; readonly name: string; readonly mimeType: string }

export interface ToolResult {
  readonly content: ReadonlyArray<Content>
  readonly structuredContent: object
  readonly isError?: boolean
}

/** Makes tasks into results of tools. */
export const makeRendering = Effect.gen(function* () {
  const media = yield* Media
  const { mediaUrl } = yield* Settings
  const toolTasks = yield* ToolTasks
  const unitsPerUsd = yield* UnitsPerUsd
  const thumbnail = yield* makeThumbnails(inlineImageBytesMax)

  /** The image as it is where it is small, else its thumbnail; none where it cannot be read, or is not here. */
  const inlined = Effect.fnUntraced(function* (owner: string, asset: ImageAsset) {
    const { blob, bytes, contentType } = asset
    const isSmall = (bytes ?? Number.POSITIVE_INFINITY) <= inlineImageBytesMax
    if (blob === null || !isSmall || !inlineTypes.has(contentType ?? "")) {
      return Option.map(yield* thumbnail(owner, asset), (png) => imageOf(png, "image/png"))
    }
    const stored = yield* media.find(basename(blob))
    if (Option.isNone(stored)) return Option.none<Content>()
    const pieces = yield* Stream.runCollect(stored.value.read())
    return Option.some(imageOf(Buffer.concat([...pieces]), stored.value.contentType))
  })

  /** A task as a result: its images or Markdown if it is done; else how to go on. */
  const rendered = Effect.fnUntraced(function* (principal: Principal, task: Task) {
    const wire = toWireTask(task, mediaUrl)
    const structuredContent = {
      task: wire,
      price: {
        units: task.held - task.released,
        usd: usdNumber(usdFromUnits(task.held - task.released, unitsPerUsd)),
      },
    }
    const price = `Price: ${formatUsd(usdFromUnits(task.held - task.released, unitsPerUsd))} USD.`
    const warnings = task.warnings.map(({ message }) => `Warning: ${message}`)
    const told = (...lines: ReadonlyArray<string>): Content => ({
      type: "text",
      text: [...lines, price, ...warnings].join("\n"),
    })
    if (task.state === "failed") {
      const problem = told(`The task ${task.id} failed: ${task.error?.code}: ${task.error?.message}`)
      return { content: [problem], structuredContent, isError: true }
    }
    if (!isFinal(task.state)) {
      const next = `The task ${task.id} is ${task.state}. It goes on; call get_task with this task_id for its result. Do not submit it again.`
      return { content: [told(next)], structuredContent }
    }
    if (task.kind === "tool") {
      const { content } = yield* toolTasks.openResult(principal, task.id)
      const text = Buffer.concat([...(yield* Stream.runCollect(content))]).toString()
      const cut = text.length > markdownCharsMax
      const rest = cut
        ? [
            `Only the first ${markdownCharsMax} of ${text.length} characters are here: GET /v1/tasks/${task.id}/result has them all.`,
          ]
        : []
      const markdown: Content = { type: "text", text: cut ? text.slice(0, markdownCharsMax) : text }
      return { content: [markdown, told(`Task ${task.id}.`, ...rest)], structuredContent }
    }
    const assets = task.result?.assets ?? []
    const links = assets.map(
      (asset, index): Content => ({
        type: "resource_link",
        uri: asset.blob === null ? (asset.url ?? "") : `${mediaUrl}/${asset.blob}`,
        name: `image ${index + 1}`,
        mimeType: asset.contentType ?? "image/*",
      }),
    )
    const inline = yield* Effect.forEach(
      assets.slice(0, inlineImages),
      (asset) => inlined(principal.user.id, asset),
      { concurrency: inlineImages },
    )
    const words = task.result?.text ?? null
    const shown = told(
      `Task ${task.id} made ${assets.length === 1 ? "an image" : `${assets.length} images`}.`,
      ...(words === null ? [] : [words]),
    )
    return { content: [shown, ...links, ...inline.flatMap(Option.toArray)], structuredContent }
  })

  return rendered
})

const imageOf = (bytes: Uint8Array, mimeType: string): Content => ({
  type: "image",
  data: Buffer.from(bytes).toString("base64"),
  mimeType,
})
