import { relative } from "node:path"
import { DefaultReporter, type TestModule, type TestSpecification } from "vitest/node"
import { durations, secondsTogether, spoken } from "./durations.ts"
import { root } from "./workspace.ts"

const pathOf = (moduleId: string): string => relative(root, moduleId)

/** Says at the start how long the run takes, and with each file that has ended how much is left. */
export class Progress extends DefaultReporter {
  #waiting = new Set<string>()
  #total = 0

  override onTestRunStart(specifications: ReadonlyArray<TestSpecification>): void {
    super.onTestRunStart(specifications)
    this.#waiting = new Set(specifications.map(({ moduleId }) => pathOf(moduleId)))
    this.#total = this.#waiting.size
    const about = spoken(secondsTogether([...this.#waiting]))
    this.log(`${this.#total} test files, about ${about} on two free cores (measured ${durations.measured})\n`)
  }

  protected override printTestModule(module: TestModule): void {
    const path = pathOf(module.moduleId)
    this.#waiting.delete(path)
    if (module.state() === "failed") super.printTestModule(module)
    const left = this.#waiting.size === 0 ? "" : `, ${spoken(secondsTogether([...this.#waiting]))} left`
    const ended = `${this.#total - this.#waiting.size}/${this.#total}${left}`
    const tests = [...module.children.allTests()].length
    const took = `${tests} tests, ${(module.diagnostic().duration / 1000).toFixed(1)} s`
    this.log(`${module.state() === "failed" ? "FAILED" : "ok    "}  ${path} (${took})  ${ended}`)
  }
}
