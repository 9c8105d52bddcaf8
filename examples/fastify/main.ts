import { createAtelier } from "@atelier/node"
import { tryOut } from "../frameworks/tryOut.ts"
import { makeApp } from "./app.ts"

// In your backend: `sqlite:./data/atelier.db`, or `postgres://…`.
const atelier = await createAtelier({ database: "sqlite::memory:" })
const app = makeApp(atelier)
const address = await app.listen({ host: "127.0.0.1", port: 0 })
await tryOut((path, init) => fetch(`${address}${path}`, init))

// On SIGTERM: no more requests, then what runs is finished or handed back.
await app.close()
