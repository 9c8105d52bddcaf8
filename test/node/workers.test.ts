import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { PooledExecutor } from "@atelier/executor"
import type { LogEntry } from "@atelier/node"
import { definePlugin } from "@atelier/plugin"
import { expect, it, vi } from "vitest"
import { newFolder, rejection, started } from "./started.ts"

it("a folder without the modules that other processes load refuses the start, and names one and where it is missed", async () => {
  const workerModules = join(newFolder(), "atelier")
  mkdirSync(workerModules)
  expect(await rejection(started({ database: "sqlite::memory:", workerModules }))).toMatchObject({
    code: "invalid_setting",
    param: "workerModules",
    message: expect.stringContaining(`is not at ${workerModules}`),
  })
})

it("where isolation is required and the system's tools for it are missing, the start is refused", async () => {
  vi.stubEnv("PATH", newFolder())
  try {
    expect(await rejection(started({ database: "sqlite::memory:", sandbox: "require" }))).toMatchObject({
      code: "invalid_setting",
      param: "sandbox",
      message: expect.stringContaining("no sandbox as require asks for"),
    })
  } finally {
    vi.unstubAllEnvs()
  }
})

it("the log says what a process that reads documents wrote to its error output before it ended", async () => {
  const definition = {
    id: "font-md-json",
    name: "Fonts",
    description: "A tool that fails",
    extensions: [".font"],
    maxFileBytes: 1000,
    timeoutSeconds: 30,
    outputFormats: ["markdown"],
    unitPriceUsd: "0.0001",
    publishedByDefault: true,
  } as const
  const module = pathToFileURL(join(import.meta.dirname, "complains.ts")).href
  const fonts = definePlugin({ name: "fonts", tools: [PooledExecutor.make(definition, module)] })
  const logged: Array<LogEntry> = []
  const atelier = await started({
    database: "sqlite::memory:",
    plugins: [fonts],
    log: (entry) => void logged.push(entry),
  })
  await atelier.users.ensure("ada", { balanceUsd: "1" })
  const file = new File(["a"], "a.font")
  const refused = await rejection(
    atelier.documents.submit({ user: "ada", tool: "font-md-json", file, idempotencyKey: "font-1" }),
  )
  expect(refused).toMatchObject({ code: "invalid_file" })
  expect(String(refused)).not.toContain("Ruritania")
  expect(logged).toContainEqual(
    expect.objectContaining({
      level: "warn",
      annotations: expect.objectContaining({
        detail: expect.stringContaining("Ruritania Sans"),
        exitCode: 3,
      }),
    }),
  )
})
