import { defineConfig } from "vitest/config"

/** Workspace packages resolve to their sources, in Vite's own resolution and in what Node imports natively. */
const conditions = ["atelier:source", "module", "node", "development|production"]

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: ["atelier:source", "node"] } },
  test: {
    include: ["packages/*/test/**/*.test.ts", "test/**/*.test.ts"],
    pool: "forks",
    maxWorkers: 2,
    // Child processes forked by a test resolve workspace packages to their sources too.
    execArgv: ["--conditions=atelier:source"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    allowOnly: false,
  },
})
