import type { ExecutorFailed, ExecutorJob, ExecutorOutput } from "@atelier/core"
import type * as Effect from "effect/Effect"

/** A document that passed inspection, and where its results are to be written. */
export type ConvertJob = ExecutorJob

/**
 * Converts documents of every format of file-md-json to Markdown. One converter serves the tool; if it is
 * down, the task waits and eventually fails: no other one is asked instead (document-tools 1).
 */
export interface Converter {
  /** Results say `converter:<name>` as their `structure_source`. */
  readonly name: string
  /**
   * Makes the results of a document, in memory or in `outputDirectory`, without reading the document or its
   * Markdown in this process. Ends itself within 60 seconds (document-tools 8). An outage of the converter is
   * `retryable`: the task tries again until its own 300 seconds are over.
   */
  readonly convert: (job: ConvertJob) => Effect.Effect<ExecutorOutput, ExecutorFailed>
}
