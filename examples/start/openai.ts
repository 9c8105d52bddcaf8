import { createReadStream } from "node:fs"
import { writeFile } from "node:fs/promises"
import OpenAI from "openai"

const openai = new OpenAI({
  baseURL: `${process.env["ATELIER_URL"]}/v1`,
  apiKey: process.env["ATELIER_API_KEY"],
  maxRetries: 0, // sent again, it would be another image, paid again
})

const { data = [] } = await openai.images.generate({
  model: "gen-image-2",
  prompt: "A lighthouse at dusk",
  size: "1536x1024",
})
console.log(data[0]?.url)

const file = await fetch(String(data[0]?.url))
await writeFile("lighthouse.png", await file.bytes())
const edited = await openai.images.edit({
  model: "gen-image-2",
  prompt: "The same lighthouse at night",
  image: createReadStream("lighthouse.png"),
})
console.log(edited.data?.[0]?.url)
