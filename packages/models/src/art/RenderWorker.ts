import { parentPort } from "node:worker_threads"
import { Resvg } from "@resvg/resvg-js"
import { type PictureOrder, pictureOf, type SheetOrder, sheetOf } from "./Picture.ts"
import { fontFiles, sans } from "./Type.ts"

/** What the renderer sends, and what it gets back. */
export interface RenderRequest {
  readonly id: number
  readonly order: PictureOrder | SheetOrder
}
export type RenderReply =
  | { readonly id: number; readonly png: Uint8Array<ArrayBuffer> }
  | { readonly id: number; readonly error: string; readonly retryable: boolean }

const render = (order: PictureOrder | SheetOrder): Uint8Array<ArrayBuffer> => {
  const font = { loadSystemFonts: false, fontFiles: fontFiles(), defaultFontFamily: sans.family }
  const svg = "pictures" in order ? sheetOf(order) : pictureOf(order)
  return new Uint8Array(new Resvg(svg, { font, logLevel: "off" }).render().asPng())
}

parentPort?.on("message", ({ id, order }: RenderRequest) => {
  try {
    const png = render(order)
    parentPort?.postMessage({ id, png } satisfies RenderReply, [png.buffer])
  } catch (error) {
    parentPort?.postMessage({ id, error: String(error), retryable: false } satisfies RenderReply)
  }
})
