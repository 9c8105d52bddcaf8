import { TaskRendering } from "@atelier/core"
import * as Layer from "effect/Layer"
import { toWireImageTask } from "./toWire.ts"

/** The task object that callbacks carry is the one that readers get. `mediaUrl`: as the server's. */
export const layer = (mediaUrl: string): Layer.Layer<never> =>
  Layer.succeed(TaskRendering, (task) => toWireImageTask(task, mediaUrl.replace(/\/+$/, "")))
