import {
  Blobs,
  formatUsd,
  isFinal,
  type Principal,
  type Task,
  ToolTasks,
  UnitsPerUsd,
  usdFromUnits,
} from "@atelier/core"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Settings } from "../ServerSettings.ts"
import { toWireTask, usdNumber } from "../toWire.ts"

/** Images that are not larger come inside the result too; the others, and all formats but these, as links alone. */
const inlineImageBytesMax = 256 * 1024
const inlineImages = 4
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
  const blobs = yield* Blobs
  const { mediaUrl } = yield* Settings
  const toolTasks = yield* ToolTasks
  const unitsPerUsd = yield* UnitsPerUsd

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
    const small = assets
      .filter(
        ({ blob, bytes, contentType }) =>
          blob !== null &&
          (bytes ?? Number.POSITIVE_INFINITY) <= inlineImageBytesMax &&
          inlineTypes.has(contentType ?? ""),
      )
      .slice(0, inlineImages)
    const inline = yield* Effect.forEach(small, ({ blob, contentType }) =>
      Effect.map(
        Stream.runCollect(blobs.read(blob ?? "")),
        (pieces): Content => ({
          type: "image",
          data: Buffer.concat([...pieces]).toString("base64"),
          mimeType: contentType ?? "",
        }),
      ),
    )
    const words = task.result?.text ?? null
    const shown = told(
      `Task ${task.id} made ${assets.length === 1 ? "an image" : `${assets.length} images`}.`,
      ...(words === null ? [] : [words]),
    )
    return { content: [shown, ...links, ...inline], structuredContent }
  })

  return rendered
})
