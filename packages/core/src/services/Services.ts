import * as Layer from "effect/Layer"
import { Access } from "./Access.ts"
import { Admin } from "./Admin.ts"
import { AdminTasks } from "./AdminTasks.ts"
import { AdminTokens } from "./AdminTokens.ts"
import { Audit } from "./Audit.ts"
import { Callbacks } from "./Callbacks.ts"
import { Channels } from "./Channels.ts"
import { Finished } from "./Finished.ts"
import { Generations } from "./Generations.ts"
import { HeldImages } from "./HeldImages.ts"
import { Idempotency } from "./Idempotency.ts"
import { ImageTasks } from "./ImageTasks.ts"
import { Media } from "./Media.ts"
import { ModelCatalog } from "./ModelCatalog.ts"
import { Overview } from "./Overview.ts"
import { Storage } from "./Storage.ts"
import { Tasks } from "./Tasks.ts"
import { ToolCatalog } from "./ToolCatalog.ts"
import { ToolFiles } from "./ToolFiles.ts"
import { ToolTasks } from "./ToolTasks.ts"
import { Transitions } from "./Transitions.ts"
import { WaitingTimes } from "./WaitingTimes.ts"
import { Wallet } from "./Wallet.ts"

const catalogs = Layer.merge(ModelCatalog.layer, ToolCatalog.layer).pipe(Layer.provideMerge(Access.layer))
const movement = Transitions.layer.pipe(Layer.provideMerge(Layer.merge(Finished.layer, Wallet.layer)))

/** Every service that callers use, over the ports. */
export const layer = Layer.mergeAll(
  Generations.layer,
  ToolFiles.layer,
  ToolTasks.layer,
  Admin.layer,
  AdminTasks.layer,
  AdminTokens.layer,
  Media.layer,
  Overview.layer,
  Storage.layer,
  WaitingTimes.layer,
).pipe(
  Layer.provideMerge(Layer.mergeAll(ImageTasks.layer, Callbacks.layer, Channels.layer)),
  Layer.provideMerge(HeldImages.layer),
  Layer.provideMerge(Tasks.layer),
  Layer.provideMerge(Layer.merge(Idempotency.layer, Audit.layer)),
  Layer.provideMerge(Layer.merge(catalogs, movement)),
)
