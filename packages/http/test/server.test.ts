import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { apiErrorCodes, classOf } from "@atelier/api"
import { CoreError, StorageError } from "@atelier/core"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Layer, Scope } from "effect"
import { toApiError } from "../src/index.ts"
import { Harness, layerWith } from "./harness.ts"
import { open, rest } from "./sockets.ts"

const get = (key: string, path: string) =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`

describe("contract, Running it: the end of a process", () => {
  it.live("waiting readers get the present state, event streams end, connections close", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const services = yield* Layer.buildWithScope(layerWith(), scope)
      const { call, newKey, port } = yield* Effect.provide(Harness, services)
      const { key } = yield* newKey()
      const body = { model: "test-1", prompt: "a cat" }
      const answer = yield* call({ method: "POST", path: "/v1/images/tasks", key, body })
      const { id } = answer.json as { readonly id: string }
      const idle = yield* open(port)
      const waiting = yield* open(port)
      const watching = yield* open(port)
      const ends = yield* Effect.forEach([idle, waiting, watching], (socket) =>
        Effect.forkChild(rest(socket)),
      )
      waiting.write(get(key, `/v1/tasks/${id}?wait=60`))
      const headersCame = Effect.callback<void>((resume) => {
        watching.once("data", () => resume(Effect.void))
      })
      watching.write(get(key, `/v1/tasks/${id}/events`))
      yield* headersCame
      yield* Scope.close(scope, Exit.void)
      const [nothing, state, events] = yield* Effect.forEach(ends, (fiber) => Fiber.join(fiber))
      assert.strictEqual(nothing, "")
      assert.match(state ?? "", /^HTTP\/1.1 200 [\s\S]*connection: close[\s\S]*"state":"queued"/i)
      assert.match(events ?? "", /event: task[\s\S]*\r\n0\r\n\r\n$/)
      yield* Effect.flip(Effect.tryPromise(() => fetch(`http://127.0.0.1:${port}/healthz`)))
    }),
  )
})

describe("contract, Tools: an upload is bounded while its bytes arrive", () => {
  it.live("an endless file is cut off at the limit, and nothing of it stays", () =>
    Effect.gen(function* () {
      const { newKey, port, directory } = yield* Harness
      const { key } = yield* newKey()
      const socket = yield* open(port)
      const answer = yield* Effect.forkChild(rest(socket))
      const head = `POST /v1/tools/test-tool/files HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: multipart/form-data; boundary=form\r\nTransfer-Encoding: chunked\r\n\r\n`
      const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`
      socket.write(head)
      socket.write(chunk('--form\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'))
      // Far less than this is read: writing stops when the server closes.
      const pump = () => {
        while (!socket.destroyed && socket.bytesWritten < 64 * 1024 * 1024) {
          if (!socket.write(chunk("x".repeat(65_536)))) return
        }
      }
      socket.on("drain", pump)
      pump()
      const text = yield* Fiber.join(answer)
      assert.match(text, /^HTTP\/1.1 413 /)
      assert.include(text, '"code":"file_too_large"')
      assert.isBelow(socket.bytesWritten, 32 * 1024 * 1024)
      const [spool = ""] = yield* Effect.promise(() => readdir(join(directory, "spool")))
      assert.deepStrictEqual(yield* Effect.promise(() => readdir(join(directory, "spool", spool))), [])
    }).pipe(Effect.provide(layerWith())),
  )
})

describe("contract, Errors: the one table", () => {
  it("every code has a status and a type that belong together", () => {
    const types: { readonly [type: string]: ReadonlyArray<number> } = {
      invalid_request_error: [400, 404, 405, 406, 408, 409, 410, 413, 415, 416],
      authentication_error: [401],
      permission_error: [403],
      billing_error: [402, 403],
      rate_limit_error: [429],
      upstream_error: [502, 504],
      server_error: [500, 501, 503],
    }
    for (const code of apiErrorCodes) {
      for (const surface of ["images", "tools"] as const) {
        const { status, type } = classOf(code, surface)
        assert.include(types[type] ?? [], status, code)
      }
    }
  })

  it("insufficient funds are 403 for images and 402 for tools", () => {
    const refused = new CoreError({ code: "insufficient_balance", message: "too little" })
    assert.strictEqual(toApiError(refused, "images").status, 403)
    assert.strictEqual(toApiError(refused, "tools").status, 402)
    assert.strictEqual(toApiError(refused, "images").body.error.type, "billing_error")
  })

  it("a fault of storage tells nothing of itself", () => {
    const cause = new Error("SQLITE_IOERR /var/lib/atelier.db")
    const error = toApiError(new StorageError({ operation: "SELECT secret", cause }), "tools")
    assert.strictEqual(error.status, 503)
    assert.strictEqual(error.body.error.code, "storage_unavailable")
    assert.notMatch(JSON.stringify(error), /SQLITE|SELECT|var/)
  })
})
