import { relative } from "node:path"
import { BaseSequencer, type TestSpecification } from "vitest/node"
import { secondsOf } from "./durations.ts"
import { root } from "./workspace.ts"

/** The longest files first, so that the workers end together; files that share a worker after all others. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const secondsOfSpecification = ({ moduleId }: TestSpecification) => secondsOf(relative(root, moduleId))
    const sharesWorker = ({ project }: TestSpecification) => (project.config.isolate ? 0 : 1)
    return files.toSorted(
      (a, b) => sharesWorker(a) - sharesWorker(b) || secondsOfSpecification(b) - secondsOfSpecification(a),
    )
  }
}
