import { Atelier, type ClientOptions } from "@atelier/client"
import * as Effect from "effect/Effect"
import { CommandFailed, exitCodes } from "./CommandFailed.ts"
import { failureOf } from "./failureOf.ts"
import { type Login, resolve, type Target } from "./Login.ts"
import { Progress } from "./Progress.ts"

/** A terminal's Ctrl-C reaches a process both directly and through the npm that started it. */
const sameSignalMs = 300
const retryDelayMs = 200

/** What a caller's command works with. */
export class Caller {
  readonly login: Login
  readonly atelier: Atelier
  readonly signal: AbortSignal
  #leaving = (): string => "stopped"

  constructor(login: Login, signal: AbortSignal) {
    this.login = login
    this.signal = signal
    this.atelier = this.client()
  }

  client(options: ClientOptions = {}): Atelier {
    return new Atelier({ apiKey: this.login.apiKey, baseURL: this.login.url, retryDelayMs, ...options })
  }

  /** What is said when the command is stopped from now on: what goes on, and how to come back to it. */
  onStop(leaving: () => string): void {
    this.#leaving = leaving
  }

  /** Tells on standard error what the command waits for. */
  async progress(options: { readonly json: boolean }): Promise<Progress> {
    const asked = this.client({ maxRetries: 0 }).balance({ signal: this.signal })
    // Without an answer costs are told in units; what is wrong with the server, the command's own request tells.
    const unitsPerUsd = await asked.then(
      ({ units_per_usd }) => units_per_usd,
      () => undefined,
    )
    return new Progress(options, unitsPerUsd)
  }

  get leaving(): string {
    return this.#leaving()
  }
}

/**
 * Runs a caller's command. Ctrl-C and SIGTERM stop the command and not its tasks: one line says how to go on.
 * A second signal ends the process at once.
 */
export const asCaller = <A>(
  target: Target,
  use: (caller: Caller) => Promise<A>,
): Effect.Effect<A, CommandFailed> =>
  Effect.suspend(() => {
    let login: Login | undefined
    return Effect.tryPromise({
      try: () => {
        login = resolve(target)
        return stoppable(login, use)
      },
      catch: (error) => failureOf(error, login?.url ?? ""),
    })
  })

const stoppable = async <A>(login: Login, use: (caller: Caller) => Promise<A>): Promise<A> => {
  const controller = new AbortController()
  const caller = new Caller(login, controller.signal)
  let stoppedAt: number | undefined
  const stop = (name: NodeJS.Signals): void => {
    const code = name === "SIGINT" ? exitCodes.stopped : exitCodes.stopped + 13
    if (stoppedAt !== undefined && performance.now() - stoppedAt > sameSignalMs) process.exit(code)
    if (stoppedAt !== undefined) return
    stoppedAt = performance.now()
    controller.abort(new CommandFailed({ message: caller.leaving, exitCode: code }))
  }
  process.on("SIGINT", stop).on("SIGTERM", stop)
  // A reader such as `head` that has seen enough is no failure.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1))
  try {
    return await use(caller)
  } finally {
    process.off("SIGINT", stop).off("SIGTERM", stop)
  }
}
