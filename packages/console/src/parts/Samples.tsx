import { useState } from "preact/hooks"
import { Tabs } from "./basics.tsx"

type Language = "curl" | "typescript" | "cli"

/** The same request, to run elsewhere. The key is never written into it. */
export const Samples = ({ samples }: { readonly samples: Readonly<Record<Language, string>> }) => {
  const [language, setLanguage] = useState<Language>("curl")
  return (
    <section class="card">
      <header>
        <h2>The same from a program</h2>
        <Tabs
          label="Language"
          value={language}
          onValue={setLanguage}
          options={[
            ["curl", "curl"],
            ["typescript", "TypeScript"],
            ["cli", "command line"],
          ]}
        />
      </header>
      <pre tabIndex={0}>{samples[language]}</pre>
    </section>
  )
}

/** A text as one word of a shell. */
const shell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

export const imageSamples = (body: Readonly<Record<string, unknown>>): Readonly<Record<Language, string>> => {
  const json = JSON.stringify(body, null, 2)
  const { model, prompt, ...rest } = body
  const flags = Object.entries(rest)
    .filter(([name]) => ["n", "size", "resolution", "quality", "seed"].includes(name))
    .map(([name, value]) => ` --${name} ${shell(String(value))}`)
  return {
    curl: `curl ${location.origin}/v1/images/tasks \\\n  -H "Authorization: Bearer $ATELIER_API_KEY" \\\n  -H "Content-Type: application/json" \\\n  -d ${shell(json)}`,
    typescript: `import { Atelier } from "@atelier/client"\n\nconst atelier = new Atelier({ apiKey: process.env.ATELIER_API_KEY, baseURL: ${JSON.stringify(location.origin)} })\nconst task = await atelier.images.generate(${json})\nconsole.log(task.assets)`,
    cli: `atelier image ${shell(String(prompt ?? ""))} --model ${shell(String(model))}${flags.join("")}`,
  }
}

export const documentSamples = (tool: string, name: string): Readonly<Record<Language, string>> => ({
  curl: `FILE=$(curl -s ${location.origin}/v1/tools/${tool}/files \\\n  -H "Authorization: Bearer $ATELIER_API_KEY" -F ${shell(`file=@${name}`)} | jq -r .id)\ncurl ${location.origin}/v1/tools/${tool}/invoke \\\n  -H "Authorization: Bearer $ATELIER_API_KEY" -H "Content-Type: application/json" \\\n  -H "Idempotency-Key: $FILE" -d "{\\"input\\":{\\"file_id\\":\\"$FILE\\"}}"`,
  typescript: `import { Atelier } from "@atelier/client"\n\nconst atelier = new Atelier({ apiKey: process.env.ATELIER_API_KEY, baseURL: ${JSON.stringify(location.origin)} })\nconst { markdown, task } = await atelier.documents.parse(${JSON.stringify(`./${name}`)}, { tool: ${JSON.stringify(tool)} })`,
  cli: `atelier parse ${shell(name)} --tool ${tool}`,
})
