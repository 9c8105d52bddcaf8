import { type Attack, refusals } from "../attack.ts"
import { bombs, type Hostile, hostilePdfs, slowDecks } from "../documents.ts"
import { type Answer, agentOf, ask, formOf, lanes, pause } from "../requests.ts"
import type { Sent } from "../sent.ts"
import { type Held, headOf, hold, outcomeOfHeld, release } from "../sockets.ts"
import { shareOf, type Target } from "../target.ts"

const filesOf = (tool: string): string => `/v1/tools/${tool}/files`
const boundary = "a-form"
const form = `multipart/form-data; boundary=${boundary}`
const part = (name: string, content: string): string =>
  `--${boundary}\r\ncontent-disposition: form-data; name="${name}"; filename="a.txt"\r\n\r\n${content}\r\n`

/** Ten megabytes that are no document of any kind. */
const garbage = (): Buffer => {
  const bytes = Buffer.alloc(10 * 1024 * 1024 - 10)
  for (let at = 0; at < bytes.length; at++) bytes[at] = (at * 31 + (at >> 8)) & 0xff
  return bytes
}

const uploadOf = (target: Target, { tool, name, bytes }: Hostile, key: string, agent = agentOf(1)) =>
  ask(target, { path: filesOf(tool), key, agent, ...formOf(name, bytes) })

const idOf = ({ text }: Answer): string | undefined => /"id":"(tool\w+)"/.exec(text)?.[1]

/** Uploads and invokes; deletes what is left. */
const parse = async (target: Target, document: Hostile, key: string, sent: Sent, turn: number) => {
  const agent = agentOf(1)
  const file = idOf(sent.answer(await uploadOf(target, document, key, agent)))
  if (file !== undefined) {
    const headers = { "idempotency-key": `${process.pid}-${Date.now()}-${turn}` }
    const path = `/v1/tools/${document.tool}/invoke`
    const task = idOf(
      sent.answer(await ask(target, { path, key, headers, agent, json: { input: { file_id: file } } })),
    )
    if (task !== undefined) await ask(target, { path: `/v1/tasks/${task}?wait=20`, key, agent })
    await ask(target, { method: "DELETE", path: `/v1/tool-files/${file}`, key, agent })
  }
  agent.destroy()
}

/** As many at once as a user may have tasks. */
const parseAll = (documents: () => Promise<ReadonlyArray<Hostile>>): Attack["send"] => {
  return async (target, sent) => {
    const all = await documents()
    const seconds = target.share === 1 ? target.seconds : 0.001
    await lanes(shareOf(target, 4), seconds, (turn) => {
      const document = all[turn % all.length]
      return document === undefined ? pause(1) : parse(target, document, target.rich.key, sent, turn)
    })
  }
}

const documentOutcomes = /^(201|202|400 \w+|413 \w+|429 \w+|503 overloaded)$/

const malformedForms = (): ReadonlyArray<readonly [string, string]> => [
  ["a thousand parts", `${part("file", "a").repeat(1_000)}--${boundary}--\r\n`],
  [
    "a thousand fields",
    `${`--${boundary}\r\ncontent-disposition: form-data; name="a"\r\n\r\nb\r\n`.repeat(1_000)}--${boundary}--\r\n`,
  ],
  ["no part", `--${boundary}--\r\n`],
  ["no end", part("file", "a")],
  ["no boundary", "a".repeat(100_000)],
  ["a header of a part without end", `--${boundary}\r\n${"a: b\r\n".repeat(50_000)}`],
  [
    "a long file name",
    `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${"a".repeat(100_000)}.txt"\r\n\r\na\r\n--${boundary}--\r\n`,
  ],
  ["a path as file name", part("file", "a").replace("a.txt", "../../../etc/cron.d/a.txt")],
]

const sendForms = async (target: Target, sent: Sent) => {
  for (const [, body] of malformedForms()) {
    const call = { path: filesOf("text-md-json"), key: target.poor, headers: { "content-type": form } }
    sent.answer(await ask(target, { ...call, body, patience: 10_000 }))
  }
}

/** A content-length that is too small, too large, not a number, or twice there. */
const sendLengths = async (target: Target, sent: Sent) => {
  const body = `${part("file", "hello")}--${boundary}--\r\n`
  const path = filesOf("text-md-json")
  const held = [
    hold(target, headOf(path, target.poor, 20, form) + body),
    hold(target, headOf(path, target.poor, 10_000_000, form) + body),
    hold(target, headOf(path, target.poor, 10 ** 15, form) + body),
    hold(target, headOf(path, target.poor, body.length, form).replace(/length: \d+/, "length: -5") + body),
    hold(
      target,
      headOf(path, target.poor, body.length, form).replace(/length: \d+/, "length: 5\r\ncontent-length: 6") +
        body,
    ),
  ]
  await pause(1_000)
  release(held, sent)
}

const slowUploads = async (target: Target): Promise<ReadonlyArray<Held>> => {
  const held: Array<Held> = []
  for (let index = 0; index < shareOf(target, 200); index++) {
    const head = headOf(filesOf("text-md-json"), target.rich.key, 1_000_000, form)
    held.push(hold(target, `${head}${part("file", "slowly")}`))
    if (index % 50 === 49) await pause(20)
  }
  return held
}

export const uploads: ReadonlyArray<Attack> = [
  {
    name: "upload-flood",
    about: "files of 10 MiB that are no documents, eight at once, and 30 small ones of one user",
    allowed: documentOutcomes,
    send: async (target, sent) => {
      const bytes = garbage()
      const tools = ["text-md-json", "file-md-json", "pptx-md-json"]
      const names = ["a.txt", "a.pdf", "a.pptx"]
      const small = { tool: "text-md-json", name: "a.txt", bytes: Buffer.from("hello") }
      const flood = Array.from({ length: shareOf(target, 30) }, () =>
        uploadOf(target, small, target.other.key),
      )
      for (const answer of await Promise.all(flood)) sent.answer(answer)
      const kept = sent.counts["201"] ?? 0
      sent.expect(kept <= 20, `${kept} files of one user were kept`)
      const agent = agentOf(8)
      await lanes(shareOf(target, 8), target.share === 1 ? target.seconds : 0.001, async (turn) => {
        const document = { tool: tools[turn % 3] ?? "", name: names[turn % 3] ?? "", bytes }
        sent.answer(await uploadOf(target, document, target.rich.key, agent))
      })
      agent.destroy()
    },
  },
  {
    name: "malformed-uploads",
    about: "forms with a thousand parts, without an end, with wrong lengths, and 200 that stop in the middle",
    allowed: new RegExp(`${refusals.source}|^201$|^400 without a code$`),
    send: async (target, sent) => {
      const slow = await slowUploads(target)
      await sendForms(target, sent)
      await sendLengths(target, sent)
      await pause(target.share === 1 ? (target.seconds - 2) * 1000 : 100)
      const waiting = slow.filter((each) => outcomeOfHeld(each) === "no answer yet").length
      sent.notes.push(`${waiting} uploads waited to the end`)
      release(slow, sent)
    },
  },
  {
    name: "document-bombs",
    about: "bombs of every kind (ZIP, XML, HTML, CSV, PDF, PPTX), uploaded and invoked four at once",
    allowed: documentOutcomes,
    seconds: 12,
    send: parseAll(bombs),
  },
  {
    name: "slow-pdfs",
    about: "PDFs of some kilobytes that take seconds to read, four at once",
    allowed: documentOutcomes,
    send: parseAll(hostilePdfs),
  },
  {
    name: "slow-decks",
    about: "the slowest presentations, four at once",
    allowed: documentOutcomes,
    send: parseAll(slowDecks),
  },
]
