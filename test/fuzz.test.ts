import { join } from "node:path"
import { expect, it } from "vitest"
import { fuzz } from "../scripts/fuzz.ts"
import { root } from "../scripts/workspace.ts"

/** `npm run fuzz` tries many more. */
const mutants = 400

it("changed documents end with a result or a refusal by code, whatever was changed", async () => {
  const run = await fuzz(mutants, 20_261, join(root, "node_modules", ".cache", "fuzz"))
  expect(run.faults).toEqual([])
  expect(run.mutants).toBe(mutants)
})
