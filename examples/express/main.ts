import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { createAtelier } from "@atelier/node"
import { tryOut } from "../frameworks/tryOut.ts"
import { makeApp } from "./app.ts"

// In your backend: `sqlite:./data/atelier.db`, or `postgres://…`.
const atelier = await createAtelier({ database: "sqlite::memory:" })
const server = makeApp(atelier).listen(0, "127.0.0.1")
await once(server, "listening")
const { port } = server.address() as AddressInfo
await tryOut((path, init) => fetch(`http://127.0.0.1:${port}${path}`, init))

// On SIGTERM: no more requests, then what runs is finished or handed back.
server.close()
await atelier.close()
