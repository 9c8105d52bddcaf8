import { readFileSync } from "node:fs"
import { join } from "node:path"
import { createConfig, lintFromString } from "@redocly/openapi-core"
import spectral, { type RulesetDefinition } from "@stoplight/spectral-core"
import rulesets from "@stoplight/spectral-rulesets"
import { describe, expect, it } from "vitest"
import { root } from "../../scripts/workspace.ts"

const source = readFileSync(join(root, "packages", "api", "openapi.json"), "utf8")

/** Pages for people and machines that watch refuse nothing of their own. */
const withoutRefusals = ["/", "/healthz", "/readyz", "/openapi.json", "/docs"].map(
  (path) => `#/paths/${path.replaceAll("/", "~1")}/get/responses`,
)

describe("the OpenAPI document", () => {
  it("has no problem that Redocly's strict rules find", async () => {
    const config = await createConfig({ extends: ["recommended-strict"] })
    const problems = await lintFromString({ source, absoluteRef: "openapi.json", config })
    const shown = problems
      .map(({ ruleId, message, location: [at] }) => ({ ruleId, message, pointer: at?.pointer }))
      .filter(
        ({ ruleId, pointer = "" }) =>
          ruleId !== "operation-4xx-response" || !withoutRefusals.includes(pointer),
      )
    expect(shown).toEqual([])
  })

  it("has no problem that Spectral's rules find", async () => {
    const linter = new spectral.Spectral()
    linter.setRuleset({ extends: [[rulesets.oas as RulesetDefinition, "recommended"]] })
    const problems = await linter.run(source)
    expect(problems.map(({ code, message, path }) => [code, message, path.join(" ")])).toEqual([])
  })
})
