/** Parsing modules that behave badly, for the tests of the pool. */
import { existsSync, writeFileSync, writeSync } from "node:fs"
import process from "node:process"
// What the process has loaded already: this starts with each of them.
import { Refusal } from "../src/Refusal.ts"

export const echo = (input: unknown) => input
export const pid = () => process.pid
export const parent = () => process.ppid
export const environment = () => Object.keys(process.env)
export const refuse = () => {
  throw new Refusal("file_corrupt", "It is torn.")
}
export const fail = () => {
  throw new TypeError("a mistake")
}
export const exit = () => process.exit(7)
export const longReply = () => "x".repeat(1_000_000)

/** Tells its process id in a file, then never yields. */
export const hang = (file: string) => {
  writeFileSync(file, String(process.pid))
  for (;;);
}

/** Ends, with its process id, when the file appears. */
export const until = async (file: string) => {
  while (!existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 2))
  return process.pid
}

interface Files {
  readonly write: (name: string, bytes: Uint8Array) => void
}

/** Writes something, then never yields. */
export const writeThenHang = ({ write }: Files) => {
  write("started", Buffer.from("started"))
  for (;;);
}

/** Copies what it was given to the file of that name. */
export const copy = (input: Files & { readonly name: string; readonly document: Uint8Array }) => {
  const half = input.document.length / 2
  input.write(input.name, input.document.subarray(0, half))
  input.write(input.name, input.document.subarray(half))
  return input.document.length
}

/** Says to the parent what no process says. */
export const speak = (frame: "unknownFile" | "longFrame" | "noReply") => {
  const frames = {
    unknownFile: [7, 0, 0, 0, 1, 0],
    longFrame: [255, 0xff, 0xff, 0xff, 0xff],
    noReply: [255, 0, 0, 0, 2, 0x7b, 0x7d],
  }
  writeSync(4, Uint8Array.from(frames[frame]))
  for (;;);
}

/** Appears, and ends when the other file appears. */
export const startThenUntil = (files: { readonly started: string; readonly end: string }) => {
  writeFileSync(files.started, "")
  return until(files.end)
}

/** Appears, and ends with its process id once the other has appeared too. */
export const meet = (files: { readonly own: string; readonly other: string }) => {
  writeFileSync(files.own, "")
  return until(files.other)
}

/** Takes that many bytes outside of V8's heap. */
export const takeBuffers = (most: number) => {
  const taken: Array<Buffer> = []
  for (let bytes = 0; bytes < most; bytes += 50_000_000) taken.push(Buffer.alloc(50_000_000, 1))
  return taken.length
}

/** Far more than the bound. */
export const hogBuffers = () => takeBuffers(5_000_000_000)

export const hogHeap = () => {
  const taken: Array<object> = []
  for (;;) taken.push({ taken: [taken.length] })
}
