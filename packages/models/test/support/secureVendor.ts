import { readFileSync } from "node:fs"
import * as Https from "node:https"
import * as Tls from "node:tls"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { type Vendor, vendorOn } from "../../src/testing/vendor.ts"

/** The same over TLS, trusted by this process; its name `upstream.test` must be resolved to 127.0.0.1. */
export const makeSecureVendor: Effect.Effect<Vendor, never, Scope.Scope> = Effect.gen(function* () {
  const cert = fixture("upstream.test.cert.pem")
  const before = Tls.getCACertificates("default")
  yield* Effect.acquireRelease(
    Effect.sync(() => Tls.setDefaultCACertificates([...before, cert])),
    () => Effect.sync(() => Tls.setDefaultCACertificates(before)),
  )
  const key = fixture("upstream.test.key.pem")
  return yield* vendorOn((listener) => Https.createServer({ cert, key }, listener), "https://upstream.test")
})

const fixture = (name: string): string =>
  readFileSync(new URL(`../http/fixtures/${name}`, import.meta.url), "utf8")
