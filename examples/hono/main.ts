import { createAtelier } from "@atelier/node"
import { tryOut } from "../frameworks/tryOut.ts"
import { makeApp } from "./app.ts"

// In your backend: `sqlite:./data/atelier.db`, or `postgres://…`.
const atelier = await createAtelier({ database: "sqlite::memory:" })
// `serve({ fetch: app.fetch })` of @hono/node-server makes a server of it; here the application is asked directly.
const app = makeApp(atelier)
await tryOut((path, init) => app.request(path, init))
await atelier.close()
