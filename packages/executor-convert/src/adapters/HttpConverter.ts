import { open, rm } from "node:fs/promises"
import { join } from "node:path"
import { ExecutorFailed, type ExecutorOutput } from "@atelier/core"
import { PooledExecutor } from "@atelier/executor"
import { type ParsingPool, siblingModule } from "@atelier/intake"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import type { HttpClientResponse } from "effect/http/HttpClientResponse"
import * as Stream from "effect/Stream"
import type { Converter, ConvertJob } from "../Converter.ts"
import { definition } from "../definition.ts"
import { convertLimits } from "../Limits.ts"
import { requireSuccess, unavailable } from "./refusals.ts"
import type { Vendor, VendorName } from "./Vendor.ts"

/**
 * A converter that asks a vendor over HTTP. The document is streamed from its file and the answer into one; the
 * answer is read in the parsing pool. Redirects are not followed. The vendor's words reach logs only.
 *
 * Fails with `timeout` (no answer in time: it may work on the document all the same, and each attempt may cost the
 * operator, so that it is not asked again), `converter_unavailable` (an outage, to be tried again; or settings that
 * the vendor refuses, which is final and logged as an error), `converter_rejected` (the document),
 * `converter_failed` (an answer that cannot be read), `result_too_large`.
 */
export const make = Effect.fnUntraced(function* (
  vendor: Vendor,
): Effect.fn.Return<Converter, never, HttpClient.HttpClient | ParsingPool> {
  const http = HttpClient.withScope(yield* HttpClient.HttpClient)
  const parsing = yield* PooledExecutor.parsingOf(definition, siblingModule("readAnswer", import.meta.url))
  const { tool_result_bytes_max: bytesMax } = parsing.limits

  const ask = Effect.fnUntraced(function* (job: ConvertJob, answerPath: string) {
    const response = yield* http.execute(yield* vendor.request(job))
    yield* requireSuccess(vendor, response)
    yield* save(vendor.name, response, answerPath, bytesMax)
    return response.headers["content-type"] ?? ""
  }, Effect.scoped)

  const convert = Effect.fnUntraced(function* (
    job: ConvertJob,
  ): Effect.fn.Return<ExecutorOutput, ExecutorFailed> {
    const answerPath = join(yield* job.outputDirectory, "answer")
    const answerType = yield* ask(job, answerPath).pipe(
      Effect.catchTag("HttpClientError", (error) =>
        unavailable(vendor.name, "It cannot be reached, or ended its answer early.", {
          problem: `${error.reason._tag}: ${error.reason.cause instanceof Error ? error.reason.cause.message : ""}`,
        }),
      ),
      Effect.timeoutOrElse({
        duration: convertLimits.converter_answer_ms_max,
        orElse: () => silent(vendor.name),
      }),
      // The vendor does not learn whose request it is.
      Effect.provideService(HttpClient.TracerPropagationEnabled, false),
    )
    const input = { answerType, vendor: vendor.name }
    const reads = { answer: { path: answerPath } }
    const output = yield* PooledExecutor.parse(parsing, job, input, reads)
    yield* Effect.promise(() => rm(answerPath))
    return output
  })

  return { name: vendor.name, convert }
})

const silent = (name: VendorName): Effect.Effect<never, ExecutorFailed> => {
  const message = `The converter ${name} did not answer within ${convertLimits.converter_answer_ms_max / 1000} s.`
  return Effect.andThen(
    Effect.logWarning(message),
    Effect.fail(new ExecutorFailed({ code: "timeout", message, retryable: false })),
  )
}

/** Writes the answer as it comes, and counts it. */
const save = Effect.fnUntraced(function* (
  name: VendorName,
  response: HttpClientResponse,
  path: string,
  bytesMax: number,
) {
  const file = yield* Effect.acquireRelease(
    Effect.promise(() => open(path, "w")),
    (opened) => Effect.promise(() => opened.close()),
  )
  let bytes = 0
  yield* Stream.runForEach(response.stream, (chunk) => {
    bytes += chunk.length
    return bytes > bytesMax ? tooLarge(name, bytesMax) : Effect.promise(() => file.appendFile(chunk))
  })
})

const tooLarge = (name: VendorName, bytesMax: number): Effect.Effect<never, ExecutorFailed> =>
  Effect.fail(
    new ExecutorFailed({
      code: "result_too_large",
      message: `The answer of the converter ${name} has more than ${bytesMax} bytes, which are allowed at most.`,
      retryable: false,
    }),
  )
