import { once } from "node:events"
import { flushCompileCache } from "node:module"
import { createServer } from "node:net"
import { join } from "node:path"
import { type CoreError, type StorageError, Workers } from "@atelier/core"
import { makeServer, WireRendering } from "@atelier/http"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as References from "effect/References"
import type { CommandFailed } from "./CommandFailed.ts"
import { waitForDatabase } from "./databaseAway.ts"
import { giveBack, processMemory } from "./GiveBack.ts"
import { inForce } from "./inForce.ts"
import * as Live from "./Live.ts"
import { pages } from "./Pages.ts"
import type { Duties } from "./Role.ts"
import { SettingError } from "./SettingError.ts"
import { type Settings, workDirectory } from "./Settings.ts"
import { stopSignal } from "./stopSignal.ts"
import * as Tracing from "./Tracing.ts"

/** A server that accepts requests. */
export interface Running {
  /** How clients reach it. */
  readonly url: string
  /** What it listens on, `host:port`. */
  readonly address: string
}

type StartError = CommandFailed | CoreError | StorageError
type Services = Layer.Success<ReturnType<typeof Live.services>>

/**
 * Runs the server until the process is asked to stop: then it accepts no more requests, finishes those in flight,
 * drains the workers, and closes the parsing pool and the database.
 */
export const runServer = (
  settings: Settings,
  options: Live.Options & {
    readonly duties: Duties
    readonly pretty: boolean
    /** Runs before the server listens: what it makes is there when the first request is answered. */
    readonly prepare: Effect.Effect<void, StartError, Services>
    readonly ready: (running: Running) => Effect.Effect<void, StartError, Services>
  },
) =>
  Effect.gen(function* () {
    logFatalErrors()
    keepDebuggerClosed()
    const { role, kinds } = options.duties
    const port = settings.port === 0 ? yield* freePort(settings) : settings.port
    const url = settings.publicUrl ?? `http://${hostInUrl(settings.host)}:${port}`
    const server = makeServer({
      host: settings.host,
      port,
      publicUrl: url,
      spoolDirectory: join(workDirectory(settings), "uploads"),
      trustedProxies: settings.config.network?.trusted_proxies ?? [],
      corsOrigins: settings.config.network?.cors_origins ?? [],
      synchronousIdempotency: settings.config.synchronous_idempotency ?? false,
      pages,
      accountPage: settings.config.account_page ?? false,
      inForce: () => inForce(settings, process.env),
      plugins: Live.pluginListings(settings),
      routes: role === "worker" ? "system" : "all",
      // Where there are other processes, load balancers get time to switch to them.
      leaveMillis: settings.database.dialect === "postgres" && role !== "worker" ? leaveMs : 0,
      ...(settings.mediaUrl === undefined ? {} : { mediaUrl: settings.mediaUrl }),
      ...(settings.adminToken === undefined ? {} : { adminToken: settings.adminToken }),
    })
    // In parallel, so that requests and workers drain at the same time at shutdown.
    const rendering = WireRendering.layer(settings.mediaUrl ?? url)
    const workers = role === "api" ? Layer.empty : Layer.provide(Workers.layerOf(kinds), rendering)
    const application = Layer.merge(server, workers).pipe(
      Layer.provide(Layer.effectDiscard(options.prepare)),
      Layer.provideMerge(Live.services(settings, options)),
    )
    const running = Effect.gen(function* () {
      const context = yield* Layer.build(application)
      yield* Effect.provide(options.ready({ url, address: `${hostInUrl(settings.host)}:${port}` }), context)
      yield* Effect.forkScoped(settle)
      return yield* Effect.never
    }).pipe(
      Effect.scoped,
      Effect.catchTag("ServeError", ({ cause }) => Effect.fail(cannotListen(settings, cause))),
    )
    yield* Effect.raceFirst(waitForDatabase(running), stopSignal)
    yield* Effect.logInfo("stopped")
  }).pipe(
    Effect.provide(Logger.layer([options.pretty ? Logger.consolePretty() : Logger.consoleJson])),
    Effect.provideService(References.MinimumLogLevel, levels[settings.logLevel]),
    Effect.provide(settings.traces === undefined ? untraced : Tracing.layer(settings.traces)),
  )

/** Where nothing collects spans, making them would take a tenth of a request. */
const untraced = Layer.succeed(References.TracerEnabled, false)

const levels = { debug: "Debug", info: "Info", warn: "Warn", error: "Error" } as const

/** Load balancers ask every second or two whether a process is ready. */
const leaveMs = 2_000

/** An unspecified address cannot be used to reach a server. */
const hostInUrl = (host: string): string => {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1"
  return host.includes(":") ? `[${host}]` : host
}

/** Result links need the port before the server listens. */
const freePort = (settings: Settings) =>
  Effect.tryPromise({
    try: async () => {
      const probe = createServer().listen(0, settings.host)
      await once(probe, "listening")
      const address = probe.address()
      probe.close()
      await once(probe, "close")
      if (address === null || typeof address === "string") throw new Error("no address")
      return address.port
    },
    catch: (cause) => cannotListen(settings, cause),
  })

const listenProblems: { readonly [code: string]: string } = {
  EADDRINUSE: "is already in use",
  EACCES: "needs more rights than this process has",
  EADDRNOTAVAIL: "is not an address of this machine",
  ENOTFOUND: "is not a known host",
}

const cannotListen = ({ host, port }: Settings, cause: unknown): SettingError => {
  const code = typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : ""
  const setting = code === "EADDRNOTAVAIL" || code === "ENOTFOUND" ? "ATELIER_HOST" : "ATELIER_PORT"
  const problem = `${hostInUrl(host)}:${port} ${listenProblems[code] ?? `cannot bind (${code})`}`
  return new SettingError({ setting, problem })
}

/** Past the first requests, and what short-lived processes never reach: the collection takes some 70 ms. */
const settleDelay = "1500 millis"

/**
 * Releases what starting allocated, writes compiled code to the cache for the next start, and later releases what
 * loads allocated.
 */
const settle = Effect.suspend(() => {
  flushCompileCache()
  return giveBack(processMemory())
}).pipe(Effect.delay(settleDelay))

/** Otherwise a signal, which a parsing process can send if no sandbox forbids it, opens one on loopback. */
const keepDebuggerClosed = (): void => {
  process.on("SIGUSR1", () => {})
}

/** An uncaught error ends the process, after one line that says so. */
const logFatalErrors = (): void => {
  process.on("uncaughtException", (error) => {
    console.error(
      JSON.stringify({
        timestamp: new Date().toISOString(),
        level: "FATAL",
        message: `uncaught: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      }),
    )
    process.exit(1)
  })
}
