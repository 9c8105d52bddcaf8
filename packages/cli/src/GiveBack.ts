import { performance } from "node:perf_hooks"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import * as Effect from "effect/Effect"

const interval = "10 seconds"
/** A heap that grew less than this since the last collection is not collected. */
const growthBytesMin = 64 * 1024 * 1024
/** A process that was busy for more than this share of the time collects on its own. */
const busyShareMax = 0.1

/** The memory of the process. */
export interface Memory {
  /** Bytes of system memory that the heap holds, in use or not. */
  readonly heapBytes: () => number
  /** The share of the time since the last call in which the event loop was busy. */
  readonly busyShare: () => number
  readonly collect: () => void
}

/**
 * Releases what a load leaves behind: garbage, and an empty young generation of some hundred MiB. V8 collects
 * when something is allocated; a process that has become quiet allocates nothing, and would keep its peak.
 */
export const giveBack = Effect.fnUntraced(function* (memory: Memory) {
  memory.collect()
  let kept = memory.heapBytes()
  memory.busyShare()
  const look = Effect.sync(() => {
    const quiet = memory.busyShare() < busyShareMax
    if (!quiet || memory.heapBytes() < kept + growthBytesMin) return
    memory.collect()
    kept = memory.heapBytes()
  })
  yield* Effect.forever(Effect.delay(look, interval))
})

/** The memory of this process; a collection takes some 50 ms. */
export const processMemory = (): Memory => {
  setFlagsFromString("--expose-gc")
  const gc: unknown = runInNewContext("gc")
  let last = performance.eventLoopUtilization()
  return {
    heapBytes: () => process.memoryUsage().heapTotal,
    busyShare: () => {
      const now = performance.eventLoopUtilization()
      const { utilization } = performance.eventLoopUtilization(now, last)
      last = now
      return utilization
    },
    collect: () => {
      if (typeof gc === "function") gc({ type: "major", execution: "sync", flavor: "last-resort" })
    },
  }
}
