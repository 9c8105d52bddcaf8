import { writeFile } from "node:fs/promises"
import { Atelier } from "@atelier/client"

const atelier = new Atelier() // ATELIER_URL and ATELIER_API_KEY, or { baseURL, apiKey }

const image = await atelier.images.subscribe(
  { model: "gen-image-2", prompt: "A lighthouse at dusk", size: "1200x672" },
  { onUpdate: ({ id, state }) => console.log(id, state) },
)

const file = await fetch(String(image.result_url))
await writeFile("lighthouse.png", await file.bytes())
console.log(`lighthouse.png for ${image.billing.charged / 500_000} USD`)
