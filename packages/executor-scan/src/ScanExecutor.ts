import { join } from "node:path"
import {
  type Content,
  CurrentDocumentSettings,
  ExecutorFailed,
  type ExecutorJob,
  type ToolExecutor,
} from "@atelier/core"
import { PooledExecutor } from "@atelier/executor"
import { type ParsingPool, siblingModule, Written } from "@atelier/intake"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Semaphore from "effect/Semaphore"
import { definition } from "./definition.ts"
import { scanLimits } from "./Limits.ts"
import { missingLanguage } from "./languages.ts"

/** What crosses the process boundary is untrusted. */
const Read = Schema.Struct({
  pages: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: scanLimits.scan_pages_max })),
})

/** A language of the settings is not installed. */
export class LanguageMissing extends Schema.TaggedError<LanguageMissing>()("LanguageMissing", {
  language: Schema.String,
}) {
  override get message(): string {
    return `the language ${this.language} is not installed: npm install @tesseract.js-data/${this.language}`
  }
}

const defaultLanguages: ReadonlyArray<string> = ["eng"]

/** How soon a document that found no place is tried again. */
const retryAfterMillis = 2_000

/** What the parsing processes load. */
export const parsingModule = siblingModule("scan", import.meta.url)

/**
 * The executor of scan-md-json. Pages are read one after the other, each as a job of the parsing pool, so that documents
 * of others are read in between; and of a few documents at a time, so that the queue goes on for others.
 * The languages are those of the settings; one whose data are not installed fails the start.
 */
export const make: Effect.Effect<ToolExecutor, LanguageMissing, ParsingPool> = Effect.gen(function* () {
  const { scan_languages: languages = defaultLanguages } = yield* CurrentDocumentSettings
  const missing = missingLanguage(languages)
  if (missing !== undefined) return yield* new LanguageMissing({ language: missing })
  const { inspect } = yield* PooledExecutor.make(definition, parsingModule)
  const parsing = yield* PooledExecutor.parsingOf(definition, parsingModule)
  const places = yield* Semaphore.make(scanLimits.scans_concurrent_max)

  const readPage = (job: ExecutorJob, page: number, words: Written) =>
    PooledExecutor.step({ ...parsing, definition: pageDefinition }, Read, {
      owner: job.owner,
      kind: "parse",
      module: parsing.module,
      function: "readPage",
      input: {
        filename: job.filename,
        fileBytesMax: definition.maxFileBytes,
        page,
        languages: [...languages],
      },
      reads: { document: job },
      writes: { words },
      writeBytesMax: scanLimits.scan_page_bytes_max,
    })

  const scan = Effect.fnUntraced(function* (job: ExecutorJob) {
    const reads: Record<string, Content> = {}
    let pages = 1
    for (let page = 0; page < pages; page++) {
      const place = async () => join(await Effect.runPromise(job.outputDirectory), `page${page}`)
      const words = new Written(place, parsing.limits.small_document_bytes_max)
      pages = (yield* readPage(job, page, words)).pages
      reads[`page${page}`] = words.content
    }
    return yield* PooledExecutor.parse(parsing, job, { pageCount: pages }, reads)
  })

  return {
    definition,
    inspect,
    run: (job) =>
      scan(job).pipe(
        Effect.timeoutOrElse({
          duration: `${definition.timeoutSeconds} seconds`,
          orElse: () => Effect.fail(tooSlow),
        }),
        places.withPermitsIfAvailable(1),
        Effect.flatMap(Option.match({ onNone: () => Effect.fail(noPlace), onSome: Effect.succeed })),
      ),
  }
})

const pageDefinition = { ...definition, timeoutSeconds: scanLimits.scan_page_seconds_max }

const tooSlow = new ExecutorFailed({
  code: "timeout",
  message: `Recognising the pages took longer than ${definition.timeoutSeconds} s.`,
  retryable: false,
})

const noPlace = new ExecutorFailed({
  code: "executor_busy",
  message: `${scanLimits.scans_concurrent_max} other documents are being recognised.`,
  retryable: true,
  retryAfterMillis,
})
