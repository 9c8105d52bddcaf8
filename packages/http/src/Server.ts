import type { WirePlugin, WireSetting } from "@atelier/api"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import * as App from "./App.ts"
import { Bodies } from "./Bodies.ts"
import { isProxyOf, trusting } from "./ClientAddress.ts"
import { Connections } from "./Connections.ts"
import { Drain } from "./Drain.ts"
import { HeldRefusals } from "./HeldRefusals.ts"
import { HttpMetrics } from "./HttpMetrics.ts"
import { Overload } from "./Overload.ts"
import { boundPipelines } from "./Pipelines.ts"
import { Readers } from "./Readers.ts"
import { Settings } from "./ServerSettings.ts"
import { shed } from "./Shedding.ts"

export interface ServerOptions {
  readonly host: string
  /** 0: any free port, which `HttpServer` reports. */
  readonly port: number
  /** How clients reach the server. */
  readonly publicUrl: string
  /** Where result links start; absent: the public address. */
  readonly mediaUrl?: string
  /** Absent: the admin API is off. */
  readonly adminToken?: Redacted.Redacted
  /** Folder for uploads while they arrive; best on the file system of the blobs. */
  readonly spoolDirectory?: string
  /** Whether `POST /v1/images/generations` takes `Idempotency-Key`. Absent: it ignores the header (image-tasks 4.5). */
  readonly synchronousIdempotency?: boolean
  /** Origins of web pages that may call `/v1`, such as `https://app.example.com`. Absent: none. */
  readonly corsOrigins?: ReadonlyArray<string>
  /** What operators see as the settings in force. Absent: nothing. */
  readonly inForce?: () => ReadonlyArray<WireSetting>
  /** What plugins add, for operators; none by default. */
  readonly plugins?: Effect.Effect<ReadonlyArray<WirePlugin>>
  /** The folder of the built web pages. Absent: `/console` and `/account` are off. */
  readonly pages?: Effect.Effect<URL, Error>
  /** Whether customers have a page of their own at `/account`. Absent: they have not. */
  readonly accountPage?: boolean
  /** Addresses or networks whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies?: ReadonlyArray<string>
  /** `system`: only whether the process lives and is ready, and its metrics. Absent: everything. */
  readonly routes?: "all" | "system"
  /**
   * How long the server still accepts requests after it was asked to stop, while it reports that it is not ready: time
   * for load balancers to switch to other processes. Absent: none.
   */
  readonly leaveMillis?: number
}

/** contract, Running it: requests in flight are finished within 10 s; the rest of that time is left to the workers. */
const drainTimeout = "8 seconds"

/**
 * The server of `/v1` and `/admin/v1` over the services of core and its `RateLimiter`. When its scope closes it
 * says that it is not ready, and after `leaveMillis` stops accepting, answers waiting readers at once, finishes the
 * requests in flight, and closes every connection.
 */
export const makeServer = (options: ServerOptions) => {
  const settings = Layer.succeed(Settings, {
    publicUrl: options.publicUrl,
    mediaUrl: withoutSlash(options.mediaUrl ?? options.publicUrl),
    adminToken: options.adminToken ?? null,
    spoolDirectory: options.spoolDirectory ?? null,
    synchronousIdempotency: options.synchronousIdempotency ?? false,
    corsOrigins: options.corsOrigins ?? [],
    inForce: options.inForce ?? (() => []),
    plugins: options.plugins ?? Effect.succeed([]),
    pages: options.pages ?? null,
    accountPage: options.accountPage ?? false,
  })
  return draining(options).pipe(
    Layer.provideMerge(serving(appOf(options))),
    Layer.provideMerge(closeConnections),
    Layer.provideMerge(listening(options)),
    Layer.provideMerge(shedding),
    Layer.provide(Overload.layer),
    Layer.provide(
      Layer.mergeAll(Connections.layer(isProxyOf(options.trustedProxies ?? [])), Bodies.layer, Readers.layer),
    ),
    Layer.provide(HeldRefusals.layer),
    Layer.provide([settings, Drain.layer, HttpMetrics.layer]),
  )
}

const appOf = ({ trustedProxies = [], routes = "all" }: ServerOptions) =>
  Layer.merge(routes === "all" ? App.layer : App.layerSystem, trusting(trustedProxies))

const withoutSlash = (url: string): string => url.replace(/\/+$/, "")

/** Serves without a log line and a span for each request. */
const serving = (app: ReturnType<typeof appOf>) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const server = yield* HttpServer.HttpServer
      const handler = yield* HttpRouter.toHttpEffect(app)
      yield* server.serve(handler)
    }),
  )

/** Closed first, since it is built last: draining begins before the server stops. */
const draining = ({ leaveMillis = 0 }: ServerOptions) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const { leaving, ending } = yield* Drain
      const { closeSilent } = yield* Connections
      const leave = Effect.andThen(leaving.open, Effect.sleep(Duration.millis(leaveMillis)))
      const end = Effect.andThen(ending.open, Effect.sync(closeSilent))
      yield* Effect.addFinalizer(() => Effect.andThen(leave, end))
    }),
  )

/** Closed when the server has stopped or its time is up: connections that are still open then are idle. */
const closeConnections = Layer.effectDiscard(
  Effect.gen(function* () {
    const { server } = yield* Connections
    yield* Effect.addFinalizer(() => Effect.sync(() => server.closeAllConnections()))
  }),
)

const shedding = Layer.effectDiscard(
  Effect.gen(function* () {
    const { server } = yield* Connections
    const metrics = yield* HttpMetrics
    yield* shed(server)
    boundPipelines(server, () => metrics.refused("pipelined"))
  }),
)

/**
 * Connections that the system holds for each listening socket until they are accepted. Past it their packets are
 * dropped, and callers try again after one, three and seven seconds.
 */
const connectionsPendingMax = 128

const listening = ({ host, port }: ServerOptions) =>
  Layer.unwrap(
    Effect.map(Connections, ({ server }) =>
      NodeHttpServer.layer(() => server, {
        host,
        port,
        backlog: connectionsPendingMax,
        gracefulShutdownTimeout: drainTimeout,
      }),
    ),
  )
