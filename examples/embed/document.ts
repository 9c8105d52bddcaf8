import { createHash } from "node:crypto"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Access, Admin, Blobs, Tasks, ToolFiles, ToolTasks, usd } from "@atelier/core"
import * as Effect from "effect/Effect"
import type * as ManagedRuntime from "effect/ManagedRuntime"
import * as Stream from "effect/Stream"

type Services = Access | Admin | Blobs | Tasks | ToolFiles | ToolTasks

/** The second job from plain Node code: promises outside, Atelier behind a runtime. */
export const parseADocument = async (
  atelier: ManagedRuntime.ManagedRuntime<Services, unknown>,
  directory: string,
): Promise<object> => {
  const text = '{ "hello": "world" }\n'
  const path = join(directory, "upload")
  await writeFile(path, text)

  const [admin, access, files, tools, tasks, blobs] = await atelier.runPromise(
    Effect.all([Admin, Access, ToolFiles, ToolTasks, Tasks, Blobs]),
  )
  const { user } = await atelier.runPromise(admin.createUser({ name: "Bob", balanceUsd: usd("1") }))
  const { secret } = await atelier.runPromise(admin.createKey(user.id, {}))
  const principal = await atelier.runPromise(access.authenticate(secret, null))

  const file = await atelier.runPromise(
    files.upload(principal, "text-md-json", {
      path,
      filename: "hello.json",
      bytes: Buffer.byteLength(text),
      sha256: createHash("sha256").update(text).digest("hex"),
    }),
  )
  const { value: task } = await atelier.runPromise(
    tools.invoke({ principal, toolId: "text-md-json", fileId: file.id, idempotencyKey: "document-1" }),
  )
  const done = await atelier.runPromise(tasks.wait(principal, task.id, 30))
  const result = await atelier.runPromise(tools.result(principal, task.id, "markdown"))
  const markdown = await atelier.runPromise(Stream.mkString(Stream.decodeText(blobs.read(result.blob))))
  return { state: done.state, charged: done.charged, markdown }
}
