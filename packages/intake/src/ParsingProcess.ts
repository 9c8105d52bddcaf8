/**
 * What a parsing process runs: one job at a time, until its parent closes the channel or dies. It imports
 * nothing but Node and the modules of its jobs, so that it boots quickly. The fork server runs it too, so that a
 * bundled application has one module for both: a channel of Node's own tells them apart.
 */
import { read, readSync, writeSync } from "node:fs"
import process from "node:process"
import { getHeapStatistics } from "node:v8"
import { frameHeadBytes, jobDescriptor, replyCharactersMax, replyDescriptor, replyFrame } from "./frames.ts"
import type { JobHead, ParsingReply } from "./ParsingMessages.ts"
import { Refusal } from "./Refusal.ts"
import { serveForks } from "./serveForks.ts"

const messageCharactersMax = 2_000

const answer = async (job: JobHead, files: Readonly<Record<string, Buffer>>): Promise<ParsingReply> => {
  try {
    const exports: Readonly<Record<string, unknown>> = await import(job.module)
    const parse = exports[job.function]
    if (typeof parse !== "function") throw new TypeError(`${job.module} exports no function ${job.function}`)
    const value = (await parse(inputOf(job, files))) ?? null
    if (JSON.stringify(value).length > replyCharactersMax) throw new RangeError("the reply is too long")
    return { _tag: "Done", value, residentBytes: residentBytes() }
  } catch (thrown) {
    if (!Refusal.is(thrown)) return { _tag: "Threw", detail: shorten(String(thrown)) }
    const { code, message } = thrown
    return { _tag: "Refused", code, message: shorten(message), residentBytes: residentBytes() }
  }
}

/** An object gets the files that were handed over, and where to write. */
const inputOf = ({ input, writes }: JobHead, files: Readonly<Record<string, Buffer>>): unknown => {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return input
  const write = (name: string, bytes: Uint8Array): void => {
    const file = writes.indexOf(name)
    if (file < 0) throw new RangeError(`there is no file ${name} to write`)
    sendFrame(file, bytes)
  }
  return { ...input, ...files, write }
}

const shorten = (text: string): string => text.slice(0, messageCharactersMax)

/**
 * What the process still holds after a job. WebAssembly and Buffers count against its bound until they are
 * collected, and what the next document may take would depend on chance. Without `/proc` only the largest memory
 * so far can be told.
 */
const residentBytes = (): number => {
  if (getHeapStatistics().external_memory > externalBytesKept) globalThis.gc?.()
  try {
    return process.memoryUsage.rss()
  } catch {
    return process.resourceUsage().maxRSS * 1024
  }
}

const externalBytesKept = 64 * 1024 * 1024

const sendFrame = (kind: number, bytes: Uint8Array): void => {
  const head = Buffer.alloc(frameHeadBytes)
  head.writeUInt8(kind)
  head.writeUInt32BE(bytes.length, 1)
  sendAll(head)
  sendAll(bytes)
}

const sendAll = (bytes: Uint8Array): void => {
  for (let sent = 0; sent < bytes.length; ) sent += writeSync(replyDescriptor, bytes, sent)
}

const send = (reply: ParsingReply): void => sendFrame(replyFrame, Buffer.from(JSON.stringify(reply)))

const receive = (bytes: number): Buffer => {
  const received = Buffer.allocUnsafeSlow(bytes)
  fill(received, 0)
  return received
}

const fill = (buffer: Buffer, from: number): void => {
  for (let filled = from; filled < buffer.length; ) {
    const count = readSync(jobDescriptor, buffer, filled, buffer.length - filled, null)
    if (count === 0) process.exit(0)
    filled += count
  }
}

/** The beginning of a job is waited for in the background, so that timers and clean-ups of modules go on. */
const nextJob = (): void => {
  const length = Buffer.alloc(4)
  read(jobDescriptor, length, 0, length.length, null, (error, count) => {
    if (error !== null || count === 0) process.exit(0)
    fill(length, count)
    const head: JobHead = JSON.parse(receive(length.readUInt32BE()).toString())
    const files = Object.fromEntries(head.reads.map(({ name, bytes }) => [name, receive(bytes)]))
    answer(head, files).then(send).then(nextJob)
  })
}

const serveJobs = async (): Promise<void> => {
  // The parent decides when a job ends, also while a signal to the whole group lets it finish its work.
  process.on("SIGINT", () => {})
  process.on("SIGTERM", () => {})
  // What cannot be loaded is told by its first job.
  await Promise.all(process.argv.slice(2).map((module) => import(module).catch(() => {})))
  send({ _tag: "Ready" })
  nextJob()
}

await (process.channel == null ? serveJobs() : serveForks())
