import { defineConfig } from "vitest/config"
import { workersCount } from "./scripts/durations.ts"
import { LongestFirst } from "./scripts/longestFirst.ts"

/** Workspace packages resolve to their sources, in Vite's own resolution and in what Node imports natively. */
const conditions = ["atelier:source", "module", "node", "development|production"]

/**
 * Files that leave nothing behind in their process, so that one worker runs many of them and loads what they share
 * once: loading it takes longer than most of them do. What they start (servers, databases) they end. None measures the
 * memory of its process, as those left out do but for ParsingPool and Sandbox: they take long, and begin with the others
 * that do.
 */
const sharing = [
  "packages/*/test/**/!(memory*|ParsingPool|Sandbox|XmlLimits).test.ts",
  "test/{document-tools,image-tasks,services}/**/*.test.ts",
]

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: ["atelier:source", "node"] } },
  test: {
    pool: "forks",
    maxWorkers: workersCount,
    // Child processes forked by a test resolve workspace packages to their sources too. With more workers than cores,
    // the threads of each garbage collector only wait for one another: one each takes a sixth less of the processors.
    execArgv: ["--conditions=atelier:source", "--single-threaded-gc"],
    // However slow the machine is: what is waited for comes, or is a defect.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    expect: { poll: { timeout: 60_000 } },
    allowOnly: false,
    fsModuleCache: true,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: "sharing",
          isolate: false,
          include: sharing,
        },
      },
      {
        extends: true,
        test: {
          name: "isolated",
          include: ["{packages/*/,}test/**/*.test.ts"],
          exclude: sharing,
        },
      },
    ],
  },
})
