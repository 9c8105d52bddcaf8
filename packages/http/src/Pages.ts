import { readdir } from "node:fs/promises"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import { type Headers, respond } from "./Answer.ts"
import { makeServed, once } from "./Documents.ts"
import { refuseHttp } from "./HttpRefusal.ts"
import { Settings } from "./ServerSettings.ts"

/** Where the pages for people are (contract, Endpoints and commands); below each, its views. */
export const pagePaths = ["/console", "/console/*", "/account", "/account/*"] as const
const assetsPath = "/console/assets/*"

/** Routes beside the contract: no endpoint annotates them. */
const route = { annotations: Context.empty() }

const contentTypes: { readonly [extension: string]: string } = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  woff2: "font/woff2",
  svg: "image/svg+xml",
}

type Serve = (
  request: HttpServerRequest.HttpServerRequest,
) => Effect.Effect<HttpServerResponse.HttpServerResponse>

/** Names in this folder hold the hash of what they name. */
const assetsFolder = "assets"

/**
 * The console and the page of customers, as they were built: files with hashed names, and one document for each page,
 * which takes the paths below it. No script or style is inline, and nothing is asked of another origin but images of
 * the media address. Refuses with 404 `not_found`: pages that are off, and files that there are not.
 */
export const layer = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const { adminToken, accountPage, mediaUrl, pages } = yield* Settings
    const policy = [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "font-src 'self'",
      `img-src 'self' data: blob: ${new URL(mediaUrl).origin}`,
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join("; ")
    const pageHeaders: Headers = { "content-security-policy": policy, "cache-control": "no-cache" }
    const assetHeaders: Headers = { "cache-control": "public, max-age=31536000, immutable" }

    const read = Effect.gen(function* () {
      if (pages === null) return new Map<string, Serve>()
      const folder = yield* pages
      const assets = yield* Effect.promise(() => readdir(new URL(`${assetsFolder}/`, folder)))
      const files = ["console.html", "account.html", ...assets.map((name) => `${assetsFolder}/${name}`)]
      const served = yield* Effect.forEach(files, (name) =>
        Effect.map(
          makeServed(new URL(name, folder), contentTypes[name.split(".").at(-1) ?? ""] ?? "", () =>
            name.startsWith(assetsFolder) ? assetHeaders : pageHeaders,
          ),
          (answer): [string, Serve] => [name, answer],
        ),
      )
      return new Map(served)
    }).pipe(Effect.orDie)
    // A build goes on where the one who asked for it left: the next one waits for the same.
    const files = Effect.promise(once(() => Effect.runPromise(read)))
    const isOn = {
      console: pages !== null && adminToken !== null,
      account: pages !== null && accountPage,
    }

    /** Every path below a page is a view of it. */
    const serve = Effect.fnUntraced(function* (
      request: HttpServerRequest.HttpServerRequest,
      page: "console" | "account",
      isOn: boolean,
    ) {
      if (!isOn) return yield* refuseHttp("not_found", off[page])
      return yield* (yield* files).get(`${page}.html`)?.(request) ?? refuseHttp("not_found", noFile)
    })

    const serveAsset = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
      const { "*": name = "" } = yield* HttpRouter.params
      if (!isOn.console && !isOn.account) return yield* refuseHttp("not_found", off.console)
      return yield* (yield* files).get(`${assetsFolder}/${name}`)?.(request) ??
        refuseHttp("not_found", noFile)
    })

    for (const page of ["console", "account"] as const) {
      yield* router.add("GET", `/${page}/*`, (request) => respond(route, serve(request, page, isOn[page])))
    }
    // Both pages have theirs here.
    yield* router.add("GET", assetsPath, (request) => respond(route, serveAsset(request)))
  }),
)

const noFile = "There is no such file."

const off = {
  console: "The console is off: it needs the admin API, which `ATELIER_ADMIN_TOKEN` turns on.",
  account: "The customers' page is off: `account_page` in the configuration turns it on.",
}
