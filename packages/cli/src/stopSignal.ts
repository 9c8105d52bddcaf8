import * as Effect from "effect/Effect"

/** contract, Running it: the process ends within 10 s of SIGTERM, whatever hangs. */
const endMsMax = 9_500
/** A terminal's Ctrl-C reaches a process both directly and through the npm that started it. */
const sameSignalMs = 300

/**
 * Ends when the process is asked to stop. From then on a further signal ends the process at once; so does the
 * end of its grace period, which loses nothing: the next start resumes what was running.
 */
export const stopSignal: Effect.Effect<void> = Effect.callback((resume) => {
  let stoppedAt: number | undefined
  const onSignal = (signal: NodeJS.Signals): void => {
    if (stoppedAt === undefined) {
      stoppedAt = performance.now()
      setTimeout(() => process.exit(0), endMsMax).unref()
      resume(Effect.void)
    } else if (performance.now() - stoppedAt > sameSignalMs) {
      process.exit(signal === "SIGINT" ? 130 : 143)
    }
  }
  process.on("SIGTERM", onSignal)
  process.on("SIGINT", onSignal)
})
