import { readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import type { KnipConfig } from "knip"
import { filesBelow, packagesOf } from "./scripts/workspace.ts"

/** Modules that a parsing process loads by URL: `siblingModule("parse", import.meta.url)` is an import too. */
const siblings = (folder: string, areas: ReadonlyArray<string>): Array<string> =>
  areas
    .flatMap((area) => filesBelow(join(folder, area)))
    .filter((file) => file.endsWith(".ts"))
    .flatMap((file) =>
      [...readFileSync(file, "utf8").matchAll(/siblingModule\("([^"]+)", import\.meta\.url\)/g)].map(
        ([, name]) => relative(folder, join(dirname(file), `${name}.ts`)),
      ),
    )

/** Taken by its path from the package that brings its older TypeScript along. */
const clientTypesGenerator = "openapi-typescript"

/** Run by a test as a process of its own. */
const clientGenerator = "test/openapi/heyApi.ts"

/** Read as files: fonts of the reference, and what examines it in the browser. */
const readAsFiles = ["@fontsource-variable/manrope", "@fontsource/instrument-serif", "axe-core"]

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
      : [],
  },
])

const config: KnipConfig = {
  ignoreExportsUsedInFile: { interface: true, type: true },
  workspaces: {
    ".": {
      entry: [
        "scripts/*.ts",
        clientGenerator,
        "examples/*/main.ts",
        "examples/{start,webhook}/*.ts",
        "examples/plugin/plugin.ts",
        "examples/nextjs/app/**/{page,route}.{ts,tsx}",
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
      // Of util-linux; where it is missing, attacks have a higher priority.
      ignoreBinaries: ["chrt", "promtool"],
    },
    ...Object.fromEntries(packages),
  },
}

export default config
