import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach, describe, expect, it } from "vitest"
import { root } from "../scripts/workspace.ts"
import { violations } from "./architecture.ts"

describe("architecture: arrows go down only", () => {
  it("holds in this repository", () => {
    expect(violations(root)).toEqual([])
  })
})

/** A small tree in which nothing is wrong; each case below adds or replaces one file. */
const manifest = (name: string, dependencies: ReadonlyArray<string>): string =>
  JSON.stringify({
    name: `@atelier/${name}`,
    version: "0.1.0",
    exports: { ".": { "atelier:source": "./src/index.ts", default: "./dist/index.js" } },
    dependencies: Object.fromEntries(dependencies.map((each) => [each, "1.0.0"])),
  })
const sound: Readonly<Record<string, string>> = {
  "package.json": JSON.stringify({ name: "tree", version: "0.1.0", devDependencies: { vitest: "1.0.0" } }),
  "packages/core/package.json": manifest("core", ["effect", "vitest"]),
  "packages/core/src/index.ts": `export * from "./domain/Money.ts"\nexport { Queue, type QueuedJob } from "./ports/Queue.ts"\n`,
  "packages/core/src/domain/Money.ts": `export type Money = bigint\n`,
  "packages/core/src/ports/Queue.ts": `import * as Context from "effect/Context"\nexport const Queue = Context\nexport interface QueuedJob {}\n`,
  "packages/core/src/services/Wallet.ts": `import "../domain/Money.ts"\nimport "../ports/Queue.ts"\n`,
  "packages/core/src/workers/Worker.ts": `import "../services/Wallet.ts"\n`,
  "packages/core/src/testing/Suite.ts": `import { it } from "vitest"\nimport "../workers/Worker.ts"\nit("", () => {})\n`,
  "packages/core/test/money.test.ts": `import { it } from "vitest"\nimport { Queue } from "@atelier/core"\n`,
  "packages/api/package.json": manifest("api", ["@atelier/core"]),
  "packages/api/src/index.ts": `import type { Money } from "@atelier/core"\nexport type Price = Money\n`,
  "packages/intake/package.json": manifest("intake", []),
  "packages/intake/src/index.ts": `import "node:zlib"\n`,
  "packages/http/package.json": manifest("http", ["@atelier/core"]),
  "packages/http/src/Queued.ts": `import type { QueuedJob } from "@atelier/core"\nexport type Queued = QueuedJob\n`,
  "packages/http/src/TasksHandlers.ts": `import type { Money } from "@atelier/core"\nexport type Fee = Money\n`,
  "packages/sql/package.json": manifest("sql", ["@atelier/core"]),
  "packages/sql/src/index.ts": `import { Queue } from "@atelier/core"\nexport const store = Queue\n`,
  "packages/cli/package.json": manifest("cli", ["@atelier/sql", "@atelier/intake"]),
  "packages/cli/src/index.ts": `import "@atelier/sql"\nimport "@atelier/intake"\n`,
}

const folders: Array<string> = []
const violationsWith = (changes: Readonly<Record<string, string>>): ReadonlyArray<string> => {
  const base = mkdtempSync(join(tmpdir(), "architecture-"))
  folders.push(base)
  for (const [path, text] of Object.entries({ ...sound, ...changes })) {
    mkdirSync(dirname(join(base, path)), { recursive: true })
    writeFileSync(join(base, path), text)
  }
  return violations(base)
}
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

describe("architecture: the rules see what breaks them", () => {
  it("find nothing in a sound tree", () => {
    expect(violationsWith({})).toEqual([])
  })

  it.each<[string, string, string, string]>([
    ["a package above", "packages/core/src/domain/Up.ts", `import "@atelier/sql"`, "arrows go down only"],
    ["a package beside", "packages/sql/src/Side.ts", `import "@atelier/intake"`, "arrows go down only"],
    [
      "intake on core",
      "packages/intake/src/Up.ts",
      `import type { Money } from "@atelier/core"`,
      "arrows go down",
    ],
    [
      "a layer above",
      "packages/core/src/domain/Up.ts",
      `import type {} from "../ports/Queue.ts"`,
      "a layer imports",
    ],
    [
      "the entry point from within",
      "packages/core/src/domain/Up.ts",
      `export * from "../index.ts"`,
      "the entry point is for",
    ],
    ["an unknown layer", "packages/core/src/attic/Up.ts", `import "../domain/Money.ts"`, "not a layer"],
    [
      "testing from a service",
      "packages/core/src/services/A.ts",
      `import "../testing/Suite.ts"`,
      "a layer imports",
    ],
    [
      "a test tool in core",
      "packages/core/src/services/A.ts",
      `import "vitest"`,
      "core depends on effect alone",
    ],
    [
      "a library in core",
      "packages/core/src/domain/A.ts",
      `await import("ulid")`,
      "core depends on effect alone",
    ],
    ["the barrel", "packages/core/src/domain/A.ts", `import { Effect } from "effect"`, "one by one"],
    [
      "a port in the api",
      "packages/api/src/A.ts",
      `import { Queue } from "@atelier/core"`,
      "not of core's domain",
    ],
    [
      "a port in http",
      "packages/http/src/TasksHandlers.ts",
      `import { Queue } from "@atelier/core"`,
      "http asks services, not ports: Queue",
    ],
    [
      "all of core in http",
      "packages/http/src/TasksHandlers.ts",
      `import * as C from "@atelier/core"`,
      "take names",
    ],
    ["all of core in the api", "packages/api/src/A.ts", `import * as C from "@atelier/core"`, "take names"],
    ["Node in the api", "packages/api/src/A.ts", `import { join } from "node:path"`, "without Node"],
    [
      "a deep import",
      "packages/cli/src/A.ts",
      `import "@atelier/sql/src/index.ts"`,
      "not in the package's exports",
    ],
    ["a deep import in a test", "packages/sql/test/a.test.ts", `import "@atelier/core/domain"`, "exports"],
    ["a path into a package", "packages/sql/src/A.ts", `import "../../core/src/index.ts"`, "by its name"],
    ["a path out of the root", "scripts/a.ts", `import "../packages/core/src/index.ts"`, "by its name"],
    [
      "a test in a source",
      "packages/core/src/domain/A.ts",
      `import "../../test/money.test.ts"`,
      "sources only",
    ],
    ["a missing file", "packages/sql/src/A.ts", `import "./B.ts"`, "no such file"],
    ["an undeclared dependency", "packages/sql/src/A.ts", `import "pg"`, "@atelier/sql does not declare pg"],
    ["an undeclared test tool", "packages/sql/test/a.test.ts", `import "pg"`, "@atelier/sql's tests need pg"],
    ["an undeclared tool", "scripts/a.ts", `import "pg"`, "the root does not declare pg"],
    ["an unused dependency", "packages/api/src/index.ts", "", "declares @atelier/core and does not use it"],
    ["a cycle", "packages/core/src/domain/Money.ts", `export * from "./Money.ts"`, "a cycle: packages/core"],
  ])("%s", (_, path, text, message) => {
    expect(violationsWith({ [path]: text }).join("\n")).toContain(message)
  })

  it("a cycle through two files and the entry point of a package", () => {
    const found = violationsWith({
      "packages/sql/src/A.ts": `import type {} from "./B.ts"`,
      "packages/sql/src/B.ts": `import type {} from "./A.ts"`,
    })
    expect(found).toEqual([
      "a cycle: packages/sql/src/A.ts -> packages/sql/src/B.ts -> packages/sql/src/A.ts",
    ])
  })
})
