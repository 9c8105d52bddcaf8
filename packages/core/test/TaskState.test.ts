import { imageSteps, isFinal, type Step, stepOf, type TaskKind, toolSteps } from "@atelier/core"
import { assert, describe, it } from "@effect/vitest"

const tables: ReadonlyArray<readonly [TaskKind, ReadonlyArray<Step>]> = [
  ["image", imageSteps],
  ["tool", toolSteps],
]

describe.each(tables)("the transition table of %s tasks", (kind, steps) => {
  it("has at most one step for a state and an event", () => {
    const keys = steps.map(({ from, event }) => `${from} ${event}`)
    assert.strictEqual(new Set(keys).size, keys.length)
  })

  it("leaves no final state (image-tasks 3, document-tools 3)", () => {
    assert.deepStrictEqual(
      steps.filter(({ from }) => isFinal(from)),
      [],
    )
  })

  it("moves money exactly where a task becomes final, so that no path closes a hold twice or never", () => {
    for (const step of steps)
      assert.strictEqual(step.money !== "none", isFinal(step.to), JSON.stringify(step))
  })

  it("charges no task that fails before anything was generated", () => {
    for (const step of steps) {
      if (step.to === "failed" && step.from !== "archiving") assert.strictEqual(step.money, "release")
    }
  })

  it("reaches every state from queued, and a final state from each", () => {
    const reached = new Set<string>(["queued"])
    for (let size = 0; size !== reached.size; ) {
      size = reached.size
      for (const step of steps) if (reached.has(step.from)) reached.add(step.to)
    }
    const states = new Set(steps.flatMap(({ from, to }) => [from, to]))
    assert.deepStrictEqual([...states].sort(), [...reached].sort())
    for (const state of states) {
      if (!isFinal(state))
        assert.ok(
          steps.some(({ from, to }) => from === state && isFinal(to)),
          state,
        )
    }
  })

  it("ends every unfinished state at its deadline", () => {
    for (const { from } of steps) assert.strictEqual(stepOf(kind, from, "expire")?.to, "failed")
  })

  it("cancels only queued tasks (contract, Waiting); an upstream that is asked to moves nothing", () => {
    const cancels = steps.filter(({ event }) => event === "cancel")
    assert.deepStrictEqual(
      cancels.filter(({ from, to }) => from !== to).map(({ from }) => from),
      ["queued"],
    )
    for (const { money } of cancels.filter(({ from, to }) => from === to)) assert.strictEqual(money, "none")
  })
})

describe("image-tasks 3, rule 1", () => {
  it("keeps the generation billed when copying is given up", () => {
    assert.strictEqual(stepOf("image", "archiving", "expire")?.money, "settle")
  })

  it("charges nothing where the upstream gave no image that may be fetched (decision 14)", () => {
    assert.strictEqual(stepOf("image", "archiving", "fail")?.money, "release")
  })
})
