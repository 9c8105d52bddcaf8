import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startService } from "../attachments/startService.ts"

/** Starts a service, and runs the client of the package's README against it. */
const directory = await mkdtemp(join(tmpdir(), "atelier-client-"))
const service = await startService(directory)
try {
  process.env["ATELIER_API_KEY"] = service.key
  process.env["ATELIER_URL"] = service.url
  await import("./client.ts")
} finally {
  await service.stop()
  await rm(directory, { recursive: true })
}
