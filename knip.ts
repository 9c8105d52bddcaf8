import { join, relative } from "node:path"
import type { KnipConfig } from "knip"
import { packagesOf, siblingModules } from "./scripts/workspace.ts"

/** Modules that other processes load are entry points too. */
const siblings = (folder: string, areas: ReadonlyArray<string>): Array<string> =>
  areas.flatMap((area) => siblingModules(join(folder, area)).map((file) => relative(folder, file)))

/** Taken by its path from the package that brings its older TypeScript along. */
const clientTypesGenerator = "openapi-typescript"

/** Run by a test as a process of its own. */
const clientGenerator = "test/openapi/heyApi.ts"

/** Read as files: fonts of the reference, and what examines it in the browser. */
const readAsFiles = ["@fontsource-variable/manrope", "@fontsource/instrument-serif", "axe-core"]

/** What Tesseract knows of languages, read as files by their codes. */
const languageData = ["@tesseract.js-data/eng"]

const packages = packagesOf(import.meta.dirname).map(({ folder }) => [
  relative(import.meta.dirname, folder),
  {
    entry: [
      "test/**/*.test.ts",
      // Pages begin where their documents say.
      ...(folder.endsWith("/console") ? ["build.ts", "src/{console,account}.tsx"] : []),
      ...siblings(folder, ["src", "test"]),
    ],
    project: ["{src,test}/**/*.{ts,tsx}"],
    ignoreDependencies: folder.endsWith("/client")
      ? [clientTypesGenerator, "@hey-api/openapi-ts", "typescript"]
      : languageData,
  },
])

const config: KnipConfig = {
  // They are loaded where an application asks for what they do.
  exclude: ["optionalPeerDependencies"],
  ignoreExportsUsedInFile: { interface: true, type: true },
  workspaces: {
    ".": {
      entry: [
        "scripts/*.ts",
        "scripts/screenshots/jumpingClock.ts",
        "test/node/complains.ts",
        "test/node/isolation.ts",
        "test/node/loaded.ts",
        clientGenerator,
        "examples/*/main.ts",
        "examples/{start,webhook}/*.ts",
        "examples/plugin/plugin.ts",
        "examples/nextjs/app/**/{page,route}.{ts,tsx}",
        "examples/nextjs-embedded/next.config.ts",
        "examples/esbuild/server.ts",
        "benchmarks/*.ts",
        "docs/.vitepress/{config,theme/index}.ts",
        ...siblings(import.meta.dirname, ["examples"]),
      ],
      project: ["{scripts,test,examples,benchmarks}/**/*.{ts,tsx}", "docs/.vitepress/**/*.ts", "*.ts"],
      // The fonts are asked for by a style sheet; React is of the project that the page is copied into.
      ignoreDependencies: [
        "@atelier/.+",
        "@expo-google-fonts/.+",
        "react",
        "@hey-api/openapi-ts",
        clientTypesGenerator,
        ...readAsFiles,
      ],
      // Of util-linux; where it is missing, attacks have a higher priority. Without a Redis a benchmark leaves it out.
      ignoreBinaries: ["chroot", "chrt", "promtool", "redis-server", "tail", "taskset", "unshare"],
    },
    ...Object.fromEntries(packages),
  },
}

export default config
