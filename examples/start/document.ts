import { Atelier } from "@atelier/client"

const atelier = new Atelier()

const minutes = new Blob(["# Minutes\n\nCall Ada on Monday.\n"])
const { markdown, task } = await atelier.documents.parse(minutes, { filename: "minutes.md" })
console.log(markdown)
console.log(`${task.billing.charged} units`)
