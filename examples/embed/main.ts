import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { embedded } from "./atelier.ts"
import { parseADocument } from "./document.ts"
import { makeAnImage } from "./image.ts"

const directory = await mkdtemp(join(tmpdir(), "atelier-embed-"))
const quiet = Logger.layer([])
const atelier = ManagedRuntime.make(Layer.provideMerge(embedded(directory), quiet))
try {
  console.log("image", await atelier.runPromise(makeAnImage))
  console.log("document", await parseADocument(atelier))
} finally {
  await atelier.dispose()
  await rm(directory, { recursive: true })
}
