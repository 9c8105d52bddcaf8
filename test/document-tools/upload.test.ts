import { createHash } from "node:crypto"
import { existsSync, readFileSync } from "node:fs"
import { connect } from "node:net"
import * as fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { refusalIn } from "../support/answers.ts"
import { type Answer, at, textAt } from "../support/server.ts"
import { openApp, type ServerApp, until } from "./app.ts"

const MiB = 1024 * 1024
const limit = 10 * MiB
const path = "/v1/tools/text-md-json/files"

let app: ServerApp
beforeAll(async () => {
  app = await openApp()
})
afterAll(() => app.close())

interface Part {
  readonly name?: string
  readonly filename?: string
  readonly content: string | Buffer
}

/** A form byte for byte: what is between the quotes of a header stands as it is given. */
const formBytes = (parts: ReadonlyArray<Part>, end = "--form--\r\n") =>
  Buffer.concat([
    ...parts.flatMap(({ name = "file", filename, content }) => [
      Buffer.from(
        `--form\r\nContent-Disposition: form-data; name="${name}"${
          filename === undefined ? "" : `; filename="${filename}"`
        }\r\n\r\n`,
      ),
      Buffer.from(content),
      Buffer.from("\r\n"),
    ]),
    Buffer.from(end),
  ])

const send = async (body: Buffer<ArrayBuffer>, key = app.account.key): Promise<Answer> => {
  const headers = { authorization: `Bearer ${key}`, "content-type": "multipart/form-data; boundary=form" }
  const response = await fetch(app.url + path, { method: "POST", headers, body })
  return { status: response.status, headers: response.headers, body: await response.json() }
}
const sendParts = (...parts: ReadonlyArray<Part>) => send(formBytes(parts))

/** What uploads left on the disk: documents that are kept, and what is on its way. */
const stored = () => ({ kept: app.kept("files").length, spool: app.stored("uploads").length })

describe("document-tools 4.2: success", () => {
  it("document-tools 4.2: 201, with the file and where it is; uploading is free (document-tools 3, rule 1)", async () => {
    const before = await app.money()
    const content = "Grüße aus dem Norden\n"
    const { status, headers, body } = await app.upload({ name: "Gruß.md", content })
    const id = textAt(body, "id")
    expect([status, headers.get("location")]).toEqual([201, `/v1/tool-files/${id}`])
    expect(body).toEqual({
      id: expect.stringMatching(/^toolfile_[0-9a-z]{26}$/),
      object: "tool.file",
      tool_id: "text-md-json",
      filename: "Gruß.md",
      content_type: "text/markdown",
      bytes: 23,
      sha256: createHash("sha256").update(content).digest("hex"),
      status: "ready",
      created_at: expect.toSatisfy(Number.isInteger),
      expires_at: Number(at(body, "created_at")) + 7200,
    })
    expect((await app.call(`/v1/tool-files/${id}`)).body).toEqual(body)
    expect(await app.money()).toEqual(before)
  })

  it("contract, Tools: stored object names hold 128 random bits, and no link reaches them", async () => {
    const before = new Set(app.kept("files"))
    await app.file({ name: "secret-name.txt" })
    const [made = "", ...more] = app.kept("files").filter((file) => !before.has(file))
    expect([made, more]).toEqual([expect.stringMatching(/^files\/[0-9a-f]{32}$/), []])
    const name = made.split("/").at(-1) ?? ""
    for (const link of [
      `/media/${name}`,
      `/media/files/${name}`,
      `/files/${name}`,
      `/media/../files/${name}`,
    ]) {
      expect((await app.call(link)).status).toBe(404)
    }
  })
})

describe("document-tools 4.2 and contract, Tools: exactly one file", () => {
  it("one file part under any name is taken, with fields around it", async () => {
    for (const name of ["file", "document", "files[]", "ü", "x".repeat(200)]) {
      const answer = await sendParts(
        { name: "note", content: "ignored" },
        { name, filename: "a.txt", content: "text" },
        { name: "more", content: "ignored too" },
      )
      expect(answer).toMatchObject({ status: 201, body: { filename: "a.txt", bytes: 4 } })
    }
  })

  it.each<readonly [string, ReadonlyArray<Part>]>([
    ["no part", []],
    ["only fields", [{ content: "text" }, { name: "b", content: "text" }]],
    ["a file input that was left empty", [{ filename: "", content: "" }]],
    [
      "two files",
      [
        { filename: "a.txt", content: "a" },
        { filename: "b.txt", content: "b" },
      ],
    ],
    [
      "two files under different names",
      [
        { filename: "a.txt", content: "a" },
        { name: "b", filename: "b.txt", content: "b" },
      ],
    ],
    ["seventeen parts", Array.from({ length: 17 }, () => ({ content: "text" }))],
  ])("%s: 400 invalid_file, and nothing is kept", async (_, parts) => {
    const before = stored()
    expect(refusalIn(await sendParts(...parts))).toBe("400 invalid_file file")
    expect(stored()).toEqual(before)
  })

  it("an empty input beside the file is no second file", async () => {
    const answer = await sendParts(
      { name: "other", filename: "", content: "" },
      { filename: "a.txt", content: "text" },
    )
    expect(answer).toMatchObject({ status: 201, body: { filename: "a.txt" } })
  })

  it.each([
    ["cut off in the file", formBytes([{ filename: "a.txt", content: "text" }], "").subarray(0, -2)],
    ["without its end", formBytes([{ filename: "a.txt", content: "text" }], "")],
    ["of another boundary", formBytes([{ filename: "a.txt", content: "text" }]).subarray(3)],
    ["that is empty", Buffer.alloc(0)],
  ])("a form %s: 400 invalid_file, and nothing is kept", async (_, body) => {
    const before = stored()
    expect(refusalIn(await send(Buffer.from(body)))).toBe("400 invalid_file file")
    expect(stored()).toEqual(before)
  })

  it.each(["application/json", "multipart/mixed; boundary=form", "multipart/form-data", "text/plain"])(
    "a body of %s: 415 unsupported_media_type",
    async (type) => {
      const body = formBytes([{ filename: "a.txt", content: "text" }])
      const headers = { authorization: `Bearer ${app.account.key}`, "content-type": type }
      const { status } = await fetch(app.url + path, { method: "POST", headers, body })
      expect(status).toBe(415)
    },
  )
})

describe("document-tools 8 and 7, 413: at most 10 MiB", () => {
  it("contract, Tools: the file's bytes count, not the form's", async () => {
    const whole = await sendParts(
      { name: "note", content: "x".repeat(60_000) },
      { filename: "a.txt", content: Buffer.alloc(limit, "a") },
      { name: "more", content: "x".repeat(60_000) },
    )
    expect(whole).toMatchObject({ status: 201, body: { bytes: limit } })
  })

  it("one byte above is refused, with the limit named, and is not kept", async () => {
    const before = stored()
    const refused = await sendParts({ filename: "a.txt", content: Buffer.alloc(limit + 1, "a") })
    expect(refusalIn(refused)).toBe("413 file_too_large file")
    expect(textAt(refused.body, "error.message")).toContain(`at most ${limit} bytes`)
    expect(stored()).toEqual(before)
  })

  it.each([
    ["a length that says so", `content-length: ${10 * 1024 * MiB}`],
    ["no length", "transfer-encoding: chunked"],
  ])("10 GiB with %s never reach memory or disk", async (_, framing) => {
    const before = stored()
    const memory = residentMiB(app.server.process.pid ?? 0)
    const { answer, sent } = await pour(framing)
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
    expect(answer).toContain('"code":"file_too_large"')
    // What the server did not read fills the buffers of two sockets, and is never more.
    expect(sent).toBeLessThan(limit + 16 * MiB)
    expect(residentMiB(app.server.process.pid ?? 0) - memory).toBeLessThan(100)
    expect(stored()).toEqual(before)
    expect((await app.upload()).status).toBe(201)
  })

  it("a client that disconnects during an upload leaves nothing", async () => {
    const before = stored()
    for (const bytes of [0, 1, 70_000, limit - 1]) {
      const socket = connect(Number(new URL(app.url).port), "127.0.0.1")
      const head = formBytes([{ filename: "a.txt", content: Buffer.alloc(bytes, "a") }], "").subarray(0, -2)
      await new Promise<void>((resolve) => {
        socket.write(`${requestHead(`content-length: ${bytes + 100_000}`)}`)
        socket.write(head, () => resolve())
      })
      // A small part of a file is in memory.
      const spooled = bytes > 64 * 1024 ? 1 : 0
      await until(
        async () => stored().spool,
        (spool) => spool === spooled,
      )
      socket.destroy()
      await until(
        async () => stored().spool,
        (spool) => spool === 0,
      )
    }
    expect(stored()).toEqual(before)
  })
})

const requestHead = (framing: string) =>
  [
    `POST ${path} HTTP/1.1`,
    "host: x",
    `authorization: Bearer ${app.account.key}`,
    "content-type: multipart/form-data; boundary=form",
    framing,
    "\r\n",
  ].join("\r\n")

/** Writes a file that has no end until the server answers and closes: the answer, and the bytes written. */
const pour = (framing: string) =>
  new Promise<{ readonly answer: string; readonly sent: number }>((resolve) => {
    const chunked = framing.startsWith("transfer-encoding")
    const framed = (bytes: Buffer) =>
      chunked
        ? Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from("\r\n")])
        : bytes
    const start = formBytes([{ filename: "a.txt", content: "" }], "").subarray(0, -2)
    const chunk = framed(Buffer.alloc(MiB, "a"))
    const socket = connect(Number(new URL(app.url).port), "127.0.0.1")
    let answer = ""
    const pump = () => {
      while (socket.writable && socket.bytesWritten < 256 * MiB && socket.write(chunk));
    }
    socket.on("data", (text) => {
      answer += text.toString()
    })
    socket.on("drain", pump)
    socket.on("error", () => {})
    socket.on("close", () => resolve({ answer, sent: socket.bytesWritten }))
    socket.write(requestHead(framing))
    socket.write(framed(start))
    pump()
  })

/** Memory of a process; 0 where the system does not tell. */
const residentMiB = (pid: number): number => {
  const file = `/proc/${pid}/status`
  if (!existsSync(file)) return 0
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(file, "utf8"))?.[1] ?? 0) / 1024
}

describe("contract, Tools: file names", () => {
  it.each([
    ["../../etc/notes.txt", "notes.txt"],
    ["/etc/notes.txt", "notes.txt"],
    ["C:\\\\folder\\\\notes.txt", "notes.txt"],
    ["notes.txt/../../a.txt", "a.txt"],
    ["a\u0085b\u009b[31m.txt", "ab[31m.txt"],
    ["\u202egnp.txt", "gnp.txt"],
    ["a\u200b\u2066b\ufeff.txt", "ab.txt"],
    ["A.TXT", "A.TXT"],
    ["  spaces  .txt", "spaces  .txt"],
    ["e\u0301.txt", "é.txt"],
    ["日本語.txt", "日本語.txt"],
    [`${"ü".repeat(200)}.txt`, `${"ü".repeat(125)}.txt`],
    ["%2e%2e%2fnotes.txt", "%2e%2e%2fnotes.txt"],
  ])("contract, Tools: %j is kept as %j", async (filename, kept) => {
    const answer = await sendParts({ filename, content: "text" })
    expect(answer).toMatchObject({ status: 201, body: { filename: kept } })
  })

  it("contract, Tools: whatever the name, the kept one has no path, control or bidi characters, 255 bytes at most", async () => {
    const hidden = "\u0085\u009b\u200e\u200f\u202a\u202e\u2028\u2066\u2069\ufeff/\\.. \u{1f600}é"
    const character = fc.oneof(fc.constantFrom(...hidden), fc.string({ unit: "grapheme", maxLength: 1 }))
    const stem = fc.array(character, { maxLength: 300 }).map((all) => all.join("").replace(/["\r\n]/g, ""))
    const property = fc.asyncProperty(stem, async (name) => {
      const { status, body } = await sendParts({ filename: `${name}.txt`, content: "text" })
      expect({ status, body }).toMatchObject({ status: 201 })
      const kept = textAt(body, "filename")
      expect(kept).toMatch(/\.txt$/)
      expect(kept).not.toMatch(/[/\\]|\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}/u)
      expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(255)
    })
    await fc.assert(property, { numRuns: 60 })
  })

  it("contract, Tools: control characters that a form may hold in no name are dropped from its encoded form", async () => {
    for (const control of ["\u0000", "\u0001", "\u001b", "\u007f"]) {
      const broken = await sendParts({ filename: `a${control}b.txt`, content: "text" })
      expect(refusalIn(broken)).toBe("400 invalid_file file")
      const encoded = `x"; filename*=UTF-8''a${encodeURIComponent(control)}b.txt; y="`
      const answer = await sendParts({ filename: encoded, content: "text" })
      expect(answer).toMatchObject({ status: 201, body: { filename: "ab.txt" } })
    }
  })

  it.each([
    ["notes", "no extension"],
    ["..", "no extension"],
    ["notes.txt.exe", ".exe"],
    ["notes.txt.", "no extension"],
  ])("document-tools 2.1, extensions: %j is 400 file_type_not_accepted: %s", async (filename, found) => {
    const before = stored()
    const refused = await sendParts({ filename, content: "text" })
    expect(refusalIn(refused)).toBe("400 file_type_not_accepted file")
    expect(textAt(refused.body, "error.message")).toContain(found)
    expect(stored()).toEqual(before)
  })
})

describe("contract, Tools: what fails its checks is not stored", () => {
  it("contract, Tools: a refused file leaves no object", async () => {
    const before = stored()
    for (const content of [
      Buffer.from([0, 1, 2]),
      Buffer.from("MZ\u0090\u0000"),
      Buffer.from([0xff, 0xfe]),
    ]) {
      expect((await app.upload({ content })).status).toBe(400)
    }
    expect(stored()).toEqual(before)
  })
})
