import { createAtelier } from "@atelier/node"

/** Run as a program: starts a service, and prints what its log says of the isolation of parsing processes. */
const said = Promise.withResolvers<string>()
const atelier = await createAtelier({
  database: "sqlite::memory:",
  log: ({ annotations, message }) => {
    if (message.startsWith("parsing processes: ")) said.resolve(JSON.stringify({ message, ...annotations }))
  },
})
console.log(await said.promise)
await atelier.close()
