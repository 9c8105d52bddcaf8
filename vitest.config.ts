import { defineConfig } from "vitest/config"
import { workersCount } from "./scripts/durations.ts"
import { LongestFirst } from "./scripts/longestFirst.ts"

/** Workspace packages resolve to their sources, in Vite's own resolution and in what Node imports natively. */
const conditions = ["atelier:source", "module", "node", "development|production"]

/** Packages whose tests start no servers: one worker runs many of their files, and loads what they share once. */
const light = "{api,core,executor,executor-*,models}"
const measuringMemory = "packages/executor-convert/test/pdf/memory*.test.ts"

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: ["atelier:source", "node"] } },
  test: {
    pool: "forks",
    maxWorkers: workersCount,
    // Child processes forked by a test resolve workspace packages to their sources too.
    execArgv: ["--conditions=atelier:source"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    allowOnly: false,
    fsModuleCache: true,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: "light",
          isolate: false,
          include: [`packages/${light}/test/**/*.test.ts`],
          exclude: [measuringMemory],
        },
      },
      {
        extends: true,
        test: {
          name: "isolated",
          include: [`packages/!(${light})/test/**/*.test.ts`, "test/**/*.test.ts", measuringMemory],
        },
      },
    ],
  },
})
