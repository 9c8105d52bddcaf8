/**
 * Loaded into a server by `NODE_OPTIONS=--import`: its clock begins `JUMP_FROM_MS` ago, an hour if it is not given, and
 * goes `JUMP_MS` further with each SIGUSR2, so that an hour of work is made in a minute. Nothing may be under
 * way at a jump, which is over when it is printed: leases would be over.
 */
const now = Date.now
const stepMs = Number(process.env["JUMP_MS"])
let behindMs = Number(process.env["JUMP_FROM_MS"] ?? 3_600_000)

Date.now = () => now() - behindMs
let jumps = 0
process.on("SIGUSR2", () => {
  behindMs = Math.max(0, behindMs - stepMs)
  process.stdout.write(`jumped ${++jumps}\n`)
})
