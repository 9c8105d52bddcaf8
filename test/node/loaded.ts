import { registerHooks } from "node:module"

/** Run as a program: imports the package, starts a service on SQLite in memory, and prints what was loaded. */
const loaded = new Set<string>()
registerHooks({
  load: (url, context, next) => {
    loaded.add(url)
    return next(url, context)
  },
})

const { createAtelier } = await import("@atelier/node")
const imported = loaded.size
const atelier = await createAtelier({ database: "sqlite::memory:", sandbox: "off", log: () => {} })
await atelier.close()
process.stdout.write(JSON.stringify({ imported, urls: [...loaded] }))
