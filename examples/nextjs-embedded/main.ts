import { tryOut } from "../frameworks/tryOut.ts"
import { POST as parse } from "./app/documents/route.ts"
import { GET as image } from "./app/images/[id]/route.ts"
import { POST as submit } from "./app/images/route.ts"
import { GET as media } from "./app/media/[name]/route.ts"
import { atelier } from "./lib/atelier.ts"

// Route handlers are functions of a request, so that they can be asked without Next.js.
process.env["ATELIER_DATABASE"] = "sqlite::memory:"
await tryOut((path, init) => {
  const request = new Request(new URL(path, "http://localhost"), init)
  const [, area, last = ""] = path.split("/")
  if (area === "media") return media(request, {})
  return last === "" ? submit(request, {}) : image(request, { params: Promise.resolve({ id: last }) })
})
const form = new FormData()
form.set("file", new File(["# Title\n\nWords.\n"], "note.md"))
form.set("order", "document-order-1")
const parsed = await parse(new Request("http://localhost/documents", { method: "POST", body: form }), {})
console.log("parsed", Object(await parsed.json()).markdown)
await (await atelier()).close()
