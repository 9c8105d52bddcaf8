import {
  failureMessageCharsMax,
  generatedImagesMax,
  generatedTextCharsMax,
  upstreamIdCharsMax,
  warningsMax,
} from "./Limits.ts"
import type { Warning } from "./Task.ts"
import type { TaskFailure } from "./TaskFailure.ts"

const cut = (text: string, charsMax: number): string =>
  text.length <= charsMax ? text : `${text.slice(0, charsMax - 1).toWellFormed()}…`

/** A failure as a task stores it, bounded whatever its source. */
export const boundedFailure = ({ code, message }: TaskFailure): TaskFailure => ({
  code: cut(code, upstreamIdCharsMax),
  message: cut(message, failureMessageCharsMax),
})

/** The first warnings of a tool or an upstream; where there are more, the last says so. */
export const boundedWarnings = (warnings: ReadonlyArray<Warning>): ReadonlyArray<Warning> => {
  const kept = warnings.slice(0, warningsMax).map(boundedFailure)
  const more = warnings.length - kept.length
  return more === 0
    ? kept
    : [...kept, { code: "warnings_left_out", message: `There are ${more} more warnings.` }]
}

/** An upstream's answer, cut to what a task stores. A step whose id is longer cannot be continued by another step. */
export const boundedGeneration = <
  G extends {
    readonly images: ReadonlyArray<unknown>
    readonly jobId: string | null
    readonly text: string | null
  },
>(
  generation: G,
): G => ({
  ...generation,
  images: generation.images.slice(0, generatedImagesMax),
  jobId: (generation.jobId?.length ?? 0) > upstreamIdCharsMax ? null : generation.jobId,
  text: generation.text === null ? null : cut(generation.text, generatedTextCharsMax),
})
