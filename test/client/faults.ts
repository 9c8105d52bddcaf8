/** What may happen to one request on its way, or to its answer. */
export const faults = [
  "reset", // the connection breaks before the server hears of it
  "lost", // the server acts, its answer never arrives
  "cut", // the answer breaks off in the middle
  "silent", // the server acts, and the connection stays open without an answer
  "429",
  "500",
  "503",
  "gateway", // a proxy's 502 page in place of the request
  "gateway-after", // a proxy's 502 page although the server acted
  "portal", // a page with status 200 in place of the request
  "empty", // `{}` in place of the answer
  "other", // another task in place of the answer
] as const
export type Fault = (typeof faults)[number]

/** The fault of the nth request of a call, counted from 0. */
export interface Plan {
  readonly at: number
  readonly fault: Fault
}

/** How the two sides of a test speak, in Node and in a browser: over these paths of the proxy. */
export const controlPaths = { reset: "/__reset", log: "/__log", account: "/__account" }
