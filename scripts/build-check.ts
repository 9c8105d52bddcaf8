import { execFileSync, spawnSync } from "node:child_process"
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core"
import { problemAffectsResolutionKind, problemKindInfo } from "@arethetypeswrong/core/problems"
import type { ResolutionKind } from "@arethetypeswrong/core/types"
import { publint } from "publint"
import { formatMessage } from "publint/utils"
import { contentProblems } from "./packContents.ts"
import { pack } from "./packed.ts"
import { type Package, packagesOf, readManifest, root } from "./workspace.ts"

/** A package, and the archive that npm would publish of it. */
interface Packed extends Package {
  readonly archive: string
}

/** The problems of the package as it would be published; empty if there are none. */
const problemsOf = async (each: Packed): Promise<ReadonlyArray<string>> => [
  ...(await publintProblems(each)),
  ...(await typeProblems(each)),
  ...commandProblems(each),
  ...contentProblems(each, each.archive),
]

const publintProblems = async ({ archive, folder }: Packed): Promise<ReadonlyArray<string>> => {
  const tarball = Uint8Array.from(readFileSync(archive)).buffer
  const { messages } = await publint({ pack: { tarball }, strict: true })
  const manifest = { ...readManifest(folder) }
  return messages.map((message) => `publint: ${formatMessage(message, manifest) ?? message.code}`)
}

/** How users resolve packages that are ES modules alone. */
const resolvedAs: ReadonlyArray<ResolutionKind> = ["node16-esm", "bundler"]

/** Do the types resolve for a user of the package, and do they match the module that runs? */
const typeProblems = async ({ archive, manifest }: Packed): Promise<ReadonlyArray<string>> => {
  // Files for browsers have no types.
  if (!Object.keys(manifest.exports ?? {}).includes(".")) return []
  const analysis = await checkPackage(createPackageFromTarballData(readFileSync(archive)))
  if (analysis.types === false) return ["packed without types"]
  return analysis.problems
    .filter((problem) => resolvedAs.some((kind) => problemAffectsResolutionKind(problem, kind, analysis)))
    .map((problem) => `types: ${problemKindInfo[problem.kind].title}: ${JSON.stringify(problem)}`)
}

/** A command names a file that is there and says what runs it. */
const commandProblems = ({ folder, manifest }: Package): ReadonlyArray<string> =>
  Object.entries(manifest.bin ?? {}).flatMap(([name, path]) => {
    const file = join(folder, path)
    if (!existsSync(file)) return [`${name}: ${path} is not there`]
    return readFileSync(file, "utf8").startsWith("#!/usr/bin/env node\n") ? [] : [`${name}: no #! line`]
  })

/** What a package needs beside those of this repository is linked; they themselves are as npm would publish them. */
const install = (packages: ReadonlyArray<Packed>, folder: string): void => {
  const modules = join(folder, "node_modules")
  mkdirSync(join(modules, "@atelier"), { recursive: true })
  for (const name of readdirSync(join(root, "node_modules"))) {
    if (name !== "@atelier" && name !== ".bin") {
      symlinkSync(join(root, "node_modules", name), join(modules, name))
    }
  }
  for (const { archive, manifest } of packages) {
    const to = join(modules, manifest.name)
    mkdirSync(to, { recursive: true })
    execFileSync("tar", ["--strip-components=1", "-xzf", archive, "-C", to])
  }
}

/** Commands of the packages answer their help, and refuse what they do not know. */
const commandsFail = (packages: ReadonlyArray<Package>, folder: string): ReadonlyArray<string> =>
  packages.flatMap(({ manifest }) =>
    Object.entries(manifest.bin ?? {}).flatMap(([name, path]) => {
      const file = join(folder, "node_modules", manifest.name, path)
      return Object.entries({ "--help": 0, absent: 2 }).flatMap(([argument, wanted]) => {
        const found = spawnSync(process.execPath, [file, argument], { encoding: "utf8" })
        return found.status === wanted
          ? []
          : [`installed, ${name} ${argument} ended with ${found.status}:\n${found.stdout}${found.stderr}`]
      })
    }),
  )

/**
 * Applications that embed the service: with transactions on both databases, in each framework, one with its tests and
 * one that is bundled.
 */
const embedding: ReadonlyArray<string> = [
  "node",
  "express",
  "fastify",
  "hono",
  "nextjs-embedded",
  "postgres",
  "testing",
  "esbuild",
]

/** They run outside of the repository as they do in it, and what is asked for wrongly does not compile. */
const applicationsFail = (folder: string): ReadonlyArray<string> => {
  cpSync(join(root, "examples"), join(folder, "examples"), { recursive: true })
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }))
  const runs = embedding.flatMap((name) => {
    const cwd = join(folder, "examples", name)
    const found = spawnSync(process.execPath, ["main.ts"], { cwd, encoding: "utf8" })
    const expected = join(cwd, "expected.txt")
    const isAsExpected = !existsSync(expected) || readFileSync(expected, "utf8") === found.stdout
    return found.status === 0 && isAsExpected
      ? []
      : [`installed, examples/${name} ended with ${found.status}:\n${found.stdout}${found.stderr}`]
  })
  writeFileSync(join(folder, "typed.ts"), typedUse)
  const args = [
    "--noEmit",
    "--strict",
    "--module",
    "nodenext",
    "--target",
    "es2024",
    "--types",
    "node",
    "typed.ts",
  ]
  const types = spawnSync("tsc", args, { cwd: folder, encoding: "utf8" })
  return types.status === 0 ? runs : [...runs, `installed, the types: ${types.stdout}`]
}

/** Modules that importing `@atelier/node` loads, of ours, of `effect` and of Node: a bound on its time that no machine moves. */
const importedModulesMax = 245

/** What is published is bundled, so that an import loads few files. */
const importIsHeavy = (folder: string): ReadonlyArray<string> => {
  cpSync(join(root, "test/node/loaded.ts"), join(folder, "loaded.ts"))
  const args = { cwd: folder, encoding: "utf8", maxBuffer: 2 ** 26 } as const
  const { stdout, stderr, status } = spawnSync(process.execPath, ["loaded.ts"], args)
  if (status !== 0) return [`installed, @atelier/node does not load:\n${stderr}`]
  const { imported }: { imported: number } = JSON.parse(stdout)
  return imported <= importedModulesMax
    ? []
    : [`installed, importing @atelier/node loads ${imported} modules, more than ${importedModulesMax}`]
}

/** Documents are read as isolated as in the repository, also where `node_modules` links to packages elsewhere. */
const isolationIsWeaker = (folder: string): ReadonlyArray<string> => {
  const program = "test/node/isolation.ts"
  cpSync(join(root, program), join(folder, "isolation.ts"))
  const run = (cwd: string, file: string) => spawnSync(process.execPath, [file], { cwd, encoding: "utf8" })
  const [here, there] = [run(root, program), run(folder, "isolation.ts")]
  return here.status === 0 && here.stdout === there.stdout
    ? []
    : [`installed: ${there.stdout}${there.stderr}\nin the repository: ${here.stdout}${here.stderr}`]
}

/** Bodies of the models and errors are typed for a user of the packages. */
const typedUse = `import { AtelierError, createAtelier } from "@atelier/node"
const atelier = await createAtelier({ database: "sqlite::memory:" })
await atelier.images.submit({ user: "ada", model: "gen-image-2", prompt: "a bridge", resolution: "2K" })
// @ts-expect-error: a word that is misspelt
await atelier.images.submit({ user: "ada", model: "gen-image-2", promt: "a bridge" })
// @ts-expect-error: what this model does not take
await atelier.images.submit({ user: "ada", model: "gen-image-2", prompt: "a bridge", resolution: "8K" })
export const retryAfter = (error: unknown): number | undefined =>
  error instanceof AtelierError && error.retryable ? error.retryAfter : undefined
`

/** What fails of the packages as they were packed and installed: with plain Node, without the condition that names the sources. */
const installedProblems = (packages: ReadonlyArray<Packed>, folder: string): ReadonlyArray<string> => {
  install(packages, folder)
  return [
    ...commandsFail(packages, folder),
    ...applicationsFail(folder),
    ...importIsHeavy(folder),
    ...isolationIsWeaker(folder),
  ]
}

const check = async (folder: string): Promise<void> => {
  const built = packagesOf(root).filter((each) => existsSync(join(each.folder, "dist")))
  const archives = pack(built, join(folder, "packed"))
  const packed = built.map((each) => ({ ...each, archive: archives.get(each.manifest.name) ?? "" }))
  const problems: Array<string> = []
  for (const each of packed) {
    for (const problem of await problemsOf(each)) problems.push(`${each.manifest.name}: ${problem}`)
  }
  problems.push(...installedProblems(packed, folder))
  for (const problem of problems) console.log(problem)
  if (problems.length > 0) process.exitCode = 1
  console.log(`checked ${built.length} packages`)
}

const folder = mkdtempSync(join(tmpdir(), "atelier-packed-"))
try {
  await check(folder)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
