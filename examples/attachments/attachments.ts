import { randomUUID } from "node:crypto"
import { type DocumentService, Refusal, toolFor } from "./service.ts"
import type { Attachment, Store } from "./store.ts"

/** What a visitor's browser is told about an attachment: nothing about tools, files, tasks or keys. */
export interface View {
  readonly id: string
  readonly name: string
  readonly status: "reading" | "ready" | "failed"
  readonly text?: string
  readonly notes?: ReadonlyArray<string>
  readonly problem?: string
}

/** Refusals and failures in this site's own words; those of the service name its tools. */
const problems: Readonly<Record<string, string>> = {
  no_tool: "Files of this type are not accepted.",
  file_too_large: "This file is too large.",
  file_type_not_accepted: "The content of this file does not match its extension.",
  file_encrypted: "This file is protected by a password.",
  file_macro: "Documents with macros are not accepted.",
  file_not_utf8: "This text is not saved as UTF-8.",
  file_corrupt: "This file is damaged.",
  archive_limit_exceeded: "This document is too large once unpacked.",
  result_too_large: "This document holds too much text.",
  result_expired: "The text of this document was not fetched in time.",
}

/** Turns visitors' files into text. */
export class Attachments {
  readonly #store: Store
  readonly #service: DocumentService
  readonly #running = new Set<Promise<void>>()

  constructor(store: Store, service: DocumentService) {
    this.#store = store
    this.#service = service
    for (const attachment of store.unfinished()) this.#begin(attachment)
  }

  /** Stores a file and answers at once; its text follows later. */
  add(name: string, content: Uint8Array): View {
    const blank = { tool: null, fileId: null, taskId: null, text: null, notes: [], problem: null }
    const attachment: Attachment = { id: randomUUID(), name, step: "received", ...blank }
    this.#store.add(attachment, content)
    this.#begin(attachment)
    return viewOf(attachment)
  }

  get(id: string): View | undefined {
    const attachment = this.#store.get(id)
    return attachment && viewOf(attachment)
  }

  /** Ends when no work is left. */
  async settled(): Promise<void> {
    await Promise.all(this.#running)
  }

  #begin(attachment: Attachment): void {
    const work = this.#work(attachment)
      .catch((error: unknown) => {
        // The site is shutting down: the next start resumes at the stored step.
        if (!(error instanceof Error && error.name === "AbortError")) console.error(error)
      })
      .finally(() => this.#running.delete(work))
    this.#running.add(work)
  }

  async #work(attachment: Attachment): Promise<void> {
    let current = attachment
    while (current.step !== "done") current = this.#store.save(await this.#next(current))
    this.#store.forget(current.id)
  }

  async #next(attachment: Attachment): Promise<Attachment> {
    try {
      return await this.#step(attachment)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (attachment.step === "read") return { ...attachment, step: "done" }
      // The file expired while this site was down. Nothing was paid for it: the task was not accepted.
      if (error.code === "file_expired") return { ...attachment, step: "received", fileId: null }
      const problem = problems[error.code]
      if (problem === undefined) console.error(`${attachment.id}: ${error.code}: ${error.message}`)
      return { ...attachment, step: "read", problem: problem ?? "This file could not be read." }
    }
  }

  /** The next step at the service, and what is known after it. */
  async #step(attachment: Attachment): Promise<Attachment> {
    const { id, name, step, tool, fileId, taskId } = attachment
    if (step === "read") {
      if (fileId !== null) await this.#service.remove(fileId)
      return { ...attachment, step: "done" }
    }
    if (step === "received" || tool === null || fileId === null) {
      const found = toolFor(await this.#service.tools(), name)
      if (found === undefined) throw new Refusal("no_tool", `nothing takes ${name}`)
      const uploaded = await this.#service.upload(found.id, name, this.#store.content(id))
      return { ...attachment, step: "uploaded", tool: found.id, fileId: uploaded }
    }
    if (step === "uploaded" || taskId === null) {
      // One key for each attachment, made before the first attempt and kept: it is paid once.
      const submitted = await this.#service.invoke(tool, fileId, `attachment-${id}`)
      return { ...attachment, step: "submitted", taskId: submitted }
    }
    const task = await this.#service.finished(taskId)
    if (task.error !== null) throw new Refusal(task.error.code, "the task failed")
    const { markdown, warnings } = await this.#service.result(taskId)
    return { ...attachment, step: "read", text: markdown, notes: warnings.map(({ message }) => message) }
  }
}

const viewOf = ({ id, name, text, notes, problem }: Attachment): View => {
  if (problem !== null) return { id, name, status: "failed", problem }
  if (text === null) return { id, name, status: "reading" }
  return { id, name, status: "ready", text, notes }
}
