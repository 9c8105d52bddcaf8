import { createHash } from "node:crypto"
import { Access, Admin, Tasks, ToolFiles, ToolTasks, usd } from "@atelier/core"
import * as Effect from "effect/Effect"
import type * as ManagedRuntime from "effect/ManagedRuntime"
import * as Stream from "effect/Stream"

type Services = Access | Admin | Tasks | ToolFiles | ToolTasks

/** The second job from plain Node code: promises outside, Atelier behind a runtime. */
export const parseADocument = async (
  atelier: ManagedRuntime.ManagedRuntime<Services, unknown>,
): Promise<object> => {
  // A small document is passed as bytes; a large file stays on disk, and is passed by its `path`.
  const data = Buffer.from('{ "hello": "world" }\n')

  const [admin, access, files, tools, tasks] = await atelier.runPromise(
    Effect.all([Admin, Access, ToolFiles, ToolTasks, Tasks]),
  )
  const { user } = await atelier.runPromise(admin.createUser({ name: "Bob", balanceUsd: usd("1") }))
  const { secret } = await atelier.runPromise(admin.createKey(user.id, {}))
  const principal = await atelier.runPromise(access.authenticate(secret, null))

  const file = await atelier.runPromise(
    files.upload(principal, "text-md-json", {
      data,
      filename: "hello.json",
      bytes: data.length,
      sha256: createHash("sha256").update(data).digest("hex"),
    }),
  )
  const { value: task } = await atelier.runPromise(
    tools.invoke({ principal, toolId: "text-md-json", fileId: file.id, idempotencyKey: "document-1" }),
  )
  const done = await atelier.runPromise(tasks.wait(principal, task.id, 30))
  const { content } = await atelier.runPromise(tools.openResult(principal, task.id, "markdown"))
  const markdown = await atelier.runPromise(Stream.mkString(Stream.decodeText(content)))
  return { state: done.state, charged: done.charged, markdown }
}
