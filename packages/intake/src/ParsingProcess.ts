/**
 * What a parsing process runs: one job at a time, until its parent closes the channel or dies. It imports
 * nothing but Node and the modules of its jobs, so that it boots quickly.
 */
import process from "node:process"
import type { ParsingJob, ParsingReply } from "./ParsingMessages.ts"
import { Refusal } from "./Refusal.ts"

/** Longest JSON that a job may return: only small messages cross to the parent. */
const replyCharactersMax = 64 * 1024
const messageCharactersMax = 2_000

const answer = async (job: ParsingJob): Promise<ParsingReply> => {
  try {
    const exports: Readonly<Record<string, unknown>> = await import(job.module)
    const parse = exports[job.function]
    if (typeof parse !== "function") throw new TypeError(`${job.module} exports no function ${job.function}`)
    const value = (await parse(job.input)) ?? null
    if (JSON.stringify(value).length > replyCharactersMax) throw new RangeError("the reply is too long")
    return { _tag: "Done", value, residentBytes: process.memoryUsage.rss() }
  } catch (thrown) {
    if (!Refusal.is(thrown)) return { _tag: "Threw", detail: shorten(String(thrown)) }
    const residentBytes = process.memoryUsage.rss()
    return { _tag: "Refused", code: thrown.code, message: shorten(thrown.message), residentBytes }
  }
}

const shorten = (text: string): string => text.slice(0, messageCharactersMax)

const send = (reply: ParsingReply): void => {
  process.send?.(reply)
}

process.on("disconnect", () => process.exit(0))
// The parent decides when a job ends, also while a signal to the whole group lets it finish its work.
process.on("SIGINT", () => {})
process.on("SIGTERM", () => {})
process.on("message", (job: ParsingJob) => {
  answer(job).then(send)
})
send({ _tag: "Ready" })
