import { afterAll, beforeAll, describe, expect, it } from "vitest"
import {
  type Account,
  adminToken,
  at,
  call,
  type Installation,
  install,
  makeAccount,
  type Server,
  serve,
  textAt,
} from "./support/server.ts"

let installation: Installation
let server: Server
let account: Account

beforeAll(async () => {
  installation = await install()
  server = await serve(installation)
  account = await makeAccount(server.url, 1)
})
afterAll(async () => {
  await server.end("SIGTERM")
  installation.remove()
})

const submit = async (json: object) => {
  const answer = await call(`${server.url}/v1/images/tasks`, { key: account.key, json })
  expect(answer.status).toBe(202)
  return answer
}
const finished = (id: string) => call(`${server.url}/v1/tasks/${id}?wait=30`, { key: account.key })
const balance = async () =>
  (await call(`${server.url}/admin/v1/users/${account.user}`, { key: adminToken })).body

describe("a first image", () => {
  it("is submitted, polled and downloaded as a PNG of the size that was asked for", async () => {
    const answer = await submit({ model: "gen-image-2", prompt: "a lighthouse at dusk", size: "512x768" })
    const id = textAt(answer.body, "task_id")
    expect(answer.headers.get("location")).toBe(`/v1/tasks/${id}`)
    expect(answer.headers.get("retry-after")).toBe("2")

    const task = await finished(id)
    expect(task.body).toMatchObject({
      id,
      state: "completed",
      status: "SUCCESS",
      progress: 100,
      expires_at: 0,
    })
    const url = textAt(task.body, "result_url")
    expect(url.startsWith(`${server.url}/media/`)).toBe(true)
    expect(at(task.body, "assets.0")).toMatchObject({
      url,
      width: 512,
      height: 768,
      content_type: "image/png",
    })

    const image = await fetch(url)
    expect(image.status).toBe(200)
    expect(image.headers.get("content-type")).toBe("image/png")
    const bytes = Buffer.from(await image.arrayBuffer())
    expect(bytes.subarray(0, 8)).toEqual(Buffer.from("89504e470d0a1a0a", "hex"))
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([512, 768])
    expect(at(task.body, "assets.0.bytes")).toBe(bytes.length)

    const etag = image.headers.get("etag") ?? ""
    const again = await fetch(url, { headers: { "if-none-match": etag } })
    expect([again.status, etag !== ""]).toEqual([304, true])
    const part = await fetch(url, { headers: { range: "bytes=16-23" } })
    expect(part.status).toBe(206)
    expect(part.headers.get("content-range")).toBe(`bytes 16-23/${bytes.length}`)
    expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(16, 24))
  })

  it("is billed to the unit: the price of the specification, times n, rounded up once", async () => {
    const before = Number(at(await balance(), "balance"))
    const spent = Number(at(await balance(), "spent"))
    const request = { model: "imagine-image-2.0", prompt: "two boats", n: 2, quality: "low" }
    // image-tasks 2.2: 1K low is 0.033 USD for each image; 500,000 units are a dollar.
    const units = 2 * 0.033 * 500_000
    const quote = await call(`${server.url}/v1/images/quote`, { key: account.key, json: request })
    expect(quote.body).toMatchObject({ quota_units: units, usd: 0.066 })

    const task = await finished(textAt((await submit(request)).body, "task_id"))
    expect(task.body).toMatchObject({
      state: "completed",
      usage: { images: 2 },
      billing: { held: units, charged: units, released: 0 },
    })
    expect(await balance()).toMatchObject({ balance: before - units, held: 0, spent: spent + units })
  })

  it.for([
    ["Latin", "Zwölf Boxkämpfer und ça va", []],
    ["Cyrillic", "Маяк в сумерках", []],
    ["Greek", "Ένας φάρος στο σούρουπο", []],
    ["Chinese", "黄昏的灯塔", ["text_not_drawn"]],
    ["Japanese", "夕暮れの灯台", ["text_not_drawn"]],
    ["Korean", "해질녘의 등대", ["text_not_drawn"]],
    ["Arabic", "منارة عند الغسق", ["text_not_drawn"]],
    ["Hebrew", "מגדלור בשעת דמדומים", ["text_not_drawn"]],
    ["Hindi", "शाम के समय एक प्रकाशस्तंभ", ["text_not_drawn"]],
    ["Bengali", "গোধূলিতে একটি বাতিঘর", ["text_not_drawn"]],
    ["Tamil", "அந்தி நேரத்தில் கலங்கரை விளக்கம்", ["text_not_drawn"]],
    ["Thai", "ประภาคารยามพลบค่ำ", ["text_not_drawn"]],
    ["Armenian", "Փարոս մթնշաղին", ["text_not_drawn"]],
    ["Georgian", "შუქურა ბინდში", ["text_not_drawn"]],
    ["Amharic", "ምሽት ላይ የመብራት ቤት", ["text_not_drawn"]],
    ["Latin and Chinese", "a poster that says 灯塔", ["text_not_drawn"]],
  ] as const)("of a prompt in %s has its words, or says that it has not", async ([, prompt, codes]) => {
    const answer = await submit({ model: "gen-image-2", prompt, size: "512x512", quality: "low" })
    const { body } = await finished(textAt(answer.body, "task_id"))
    expect(at(body, "state")).toBe("completed")
    const warnings = at(body, "warnings") as ReadonlyArray<{ readonly code: string }>
    expect(warnings.map(({ code }) => code)).toEqual(codes)
  })
})
