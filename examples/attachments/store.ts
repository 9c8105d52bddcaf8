import { DatabaseSync } from "node:sqlite"

/**
 * The state of an attachment: `received` by this site, `uploaded` to the service, `submitted` as a task, `read`;
 * then `done`, with a text or a problem.
 */
export interface Attachment {
  readonly id: string
  readonly name: string
  readonly step: "received" | "uploaded" | "submitted" | "read" | "done"
  readonly tool: string | null
  readonly fileId: string | null
  readonly taskId: string | null
  readonly text: string | null
  readonly notes: ReadonlyArray<string>
  /** What went wrong, in words for the visitor. */
  readonly problem: string | null
}

/** Attachments in one SQLite file: work in progress survives a restart. */
export class Store {
  readonly #database: DatabaseSync

  constructor(file: string) {
    this.#database = new DatabaseSync(file)
    this.#database.exec(
      "CREATE TABLE IF NOT EXISTS attachments (id TEXT PRIMARY KEY, step TEXT, record TEXT, content BLOB)",
    )
  }

  add(attachment: Attachment, content: Uint8Array): void {
    this.#database
      .prepare("INSERT INTO attachments (id, step, record, content) VALUES (?, ?, ?, ?)")
      .run(attachment.id, attachment.step, JSON.stringify(attachment), content)
  }

  /** Writes the next step before it is acted on. */
  save(attachment: Attachment): Attachment {
    this.#database
      .prepare("UPDATE attachments SET step = ?, record = ? WHERE id = ?")
      .run(attachment.step, JSON.stringify(attachment), attachment.id)
    return attachment
  }

  get(id: string): Attachment | undefined {
    return this.#records("SELECT record FROM attachments WHERE id = ?", id)[0]
  }

  unfinished(): ReadonlyArray<Attachment> {
    return this.#records("SELECT record FROM attachments WHERE step <> ?", "done")
  }

  content(id: string): Uint8Array<ArrayBuffer> {
    const row = this.#database.prepare("SELECT content FROM attachments WHERE id = ?").get(id)
    return new Uint8Array(row?.["content"] instanceof Uint8Array ? row["content"] : [])
  }

  /** The text is there: the document itself is no longer needed. */
  forget(id: string): void {
    this.#database.prepare("UPDATE attachments SET content = NULL WHERE id = ?").run(id)
  }

  close(): void {
    this.#database.close()
  }

  #records(query: string, value: string): ReadonlyArray<Attachment> {
    return this.#database
      .prepare(query)
      .all(value)
      .map(({ record }) => JSON.parse(String(record)))
  }
}
