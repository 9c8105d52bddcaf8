import { Atelier } from "@atelier/client"

const atelier = new Atelier() // ATELIER_API_KEY and ATELIER_URL, or { apiKey, baseURL }

const image = await atelier.images.generate({ model: "gen-image-2", prompt: "a lighthouse at dusk" })
console.log(`${image.state}: ${image.assets?.length} image`) // image.result_url is its address

const note = new Blob(["# Minutes\n\nWe met.\n"])
const { markdown } = await atelier.documents.parse(note, { filename: "minutes.md" })
console.log(markdown)
