import { type Endpoint, exampleOf } from "./document.ts"

export const languages = ["curl", "typescript", "python"] as const
export type Language = (typeof languages)[number]
export const languageNames: { readonly [L in Language]: string } = {
  curl: "curl",
  typescript: "TypeScript",
  python: "Python",
}

/** Names of the environment that samples read, in place of the parts of a path. */
const variables: { readonly [parameter: string]: string } = { task_id: "TASK_ID", file_id: "FILE_ID" }
/** Ids that every server has. */
export const constants: { readonly [parameter: string]: string } = {
  tool_id: "text-md-json",
  model: "gen-image-2",
}
/** What `{id}` is, by the path that it follows. */
const adminIds: { readonly [collection: string]: string } = {
  users: "USER_ID",
  keys: "KEY_ID",
  tasks: "TASK_ID",
  tokens: "TOKEN_ID",
}
const adminConstants: { readonly [collection: string]: string } = {
  tools: "text-md-json",
  models: "gen-image-2",
}

/** The path in pieces: text, or the variable that stands in it. */
const piecesOf = ({ path }: Endpoint): ReadonlyArray<string | { readonly variable: string }> =>
  path.split(/(\{[a-z_]+\})/).map((piece, index, all) => {
    const [, parameter] = /^\{(.+)\}$/.exec(piece) ?? []
    if (parameter === undefined) return piece
    if (parameter === "name") return { variable: "IMAGE_NAME" }
    const collection = all[index - 1]?.split("/").at(-2) ?? ""
    const constant = parameter === "id" ? adminConstants[collection] : constants[parameter]
    if (constant !== undefined) return constant
    return { variable: (parameter === "id" ? adminIds[collection] : variables[parameter]) ?? "ID" }
  })

export const tokenOf = ({ security, path }: Endpoint): string | undefined => {
  if (security.length === 0) return undefined
  return path.startsWith("/admin/") ? "ATELIER_ADMIN_TOKEN" : "ATELIER_API_KEY"
}

/** Query parameters that make a sample what people come for. */
export const queries: { readonly [operationId: string]: string } = {
  "tasks.get": "?wait=30",
  "tasks.result": "?format=markdown",
  "tasks.list": "?limit=5",
}

/** Bodies that fit the environment of the samples. */
export const bodyOf = (endpoint: Endpoint): unknown => {
  const { operationId, requestBody } = endpoint
  if (operationId === "tools.invoke") return { input: { file_id: "$FILE_ID" } }
  return (
    exampleOf(requestBody?.content) ??
    (requestBody?.content["application/json"] ? { disabled: false } : undefined)
  )
}

/** The files and fields of a multipart form. */
const forms: {
  readonly [operationId: string]: {
    readonly files: Readonly<Record<string, string>>
    readonly fields: Readonly<Record<string, string>>
  }
} = {
  "tools.upload": { files: { file: "notes.md" }, fields: {} },
  "images.edit": {
    files: { image: "image.png" },
    fields: { model: "gen-image-2", prompt: "the same at night" },
  },
}

export const formOf = ({ operationId }: Endpoint) => forms[operationId]

/** Keys of 8 to 64 letters, digits, hyphens: what both services take. */
const keyOf = ({ operationId, parameters = [] }: Endpoint): string | undefined =>
  parameters.some(({ name }) => name === "idempotency-key") && operationId !== "images.generate"
    ? `${operationId.split(".").at(-1)?.toLowerCase()}-0001`
    : undefined

/** On one line where it is short. */
const jsonOf = (value: unknown): string => {
  const text = JSON.stringify(value, null, 2)
  const line = text.replaceAll(/\n */g, " ")
  return line.length > 50 ? text.replaceAll("\n", "\n  ") : line
}

const curl = (endpoint: Endpoint): string => {
  const { method, operationId } = endpoint
  const path = piecesOf(endpoint).map((piece) => (typeof piece === "string" ? piece : `$${piece.variable}`))
  const [token, key, form, body] = [tokenOf(endpoint), keyOf(endpoint), forms[operationId], bodyOf(endpoint)]
  const stream = operationId === "tasks.events" ? "-N " : ""
  const saved = operationId === "media" ? ` -o image.png` : ""
  const hasBody = form !== undefined || body !== undefined
  const named = method === "GET" || (method === "POST" && hasBody) ? "" : `-X ${method} `
  const lines = [`curl ${stream}${named}"$ATELIER_URL${path.join("")}${queries[operationId] ?? ""}"${saved}`]
  if (token !== undefined) lines.push(`-H "Authorization: Bearer $${token}"`)
  if (key !== undefined) lines.push(`-H "Idempotency-Key: ${key}"`)
  for (const [name, value] of Object.entries(form?.fields ?? {})) lines.push(`-F "${name}=${value}"`)
  for (const [name, file] of Object.entries(form?.files ?? {})) lines.push(`-F "${name}=@${file}"`)
  if (form === undefined && body !== undefined) {
    lines.push('-H "Content-Type: application/json"')
    const text = jsonOf(body)
    lines.push(text.includes("$") ? `-d "${text.replaceAll('"', '\\"')}"` : `-d '${text}'`)
  }
  return lines.join(" \\\n  ")
}

const python = (endpoint: Endpoint): string => {
  const { method, operationId } = endpoint
  const env = (name: string) => `os.environ['${name}']`
  const path = piecesOf(endpoint).map((piece) =>
    typeof piece === "string" ? piece : `{${env(piece.variable)}}`,
  )
  const [token, key, form, body] = [tokenOf(endpoint), keyOf(endpoint), forms[operationId], bodyOf(endpoint)]
  const headers = [
    ...(token === undefined ? [] : [`"Authorization": f"Bearer {${env(token)}}"`]),
    ...(key === undefined ? [] : [`"Idempotency-Key": "${key}"`]),
  ]
  const files = Object.entries(form?.files ?? {}).map(([name, file]) => `"${name}": open("${file}", "rb")`)
  const fields = Object.entries(form?.fields ?? {}).map(([name, value]) => `"${name}": "${value}"`)
  const given = [
    `f"{${env("ATELIER_URL")}}${path.join("")}${queries[operationId] ?? ""}"`,
    ...(headers.length === 0 ? [] : [`headers={${headers.join(", ")}}`]),
    ...(files.length === 0 ? [] : [`files={${files.join(", ")}}`]),
    ...(fields.length === 0 ? [] : [`data={${fields.join(", ")}}`]),
    ...(form === undefined && body !== undefined ? [`json=${pythonOf(body)}`] : []),
    ...(operationId === "tasks.events" ? ["stream=True"] : []),
    "timeout=60",
  ]
  return [
    "import os",
    "import requests",
    "",
    `answer = requests.${method.toLowerCase()}(`,
    ...given.map((line) => `    ${line},`),
    ")",
    "answer.raise_for_status()",
    ...pythonEnd(endpoint),
  ].join("\n")
}

const pythonEnd = ({ operationId, responses }: Endpoint): ReadonlyArray<string> => {
  if (operationId === "media") return ['open("image.png", "wb").write(answer.content)']
  if (operationId === "tasks.events") {
    return ["for line in answer.iter_lines(decode_unicode=True):", "    print(line)"]
  }
  const types = Object.entries(responses).flatMap(([, { content = {} }]) => Object.keys(content))
  const isJson = types.length > 0 && types.every((type) => type === "application/json")
  return [isJson ? "print(answer.json())" : "print(answer.text)"]
}

const pythonOf = (value: unknown): string =>
  jsonOf(value)
    .replaceAll("\n", "\n  ")
    .replaceAll(/"\$([A-Z_]+)"/g, "os.environ['$1']")
    .replaceAll(/\btrue\b/g, "True")
    .replaceAll(/\bfalse\b/g, "False")
    .replaceAll(/\bnull\b/g, "None")

const task = 'process.env["TASK_ID"] ?? ""'
const request = '{ model: "gen-image-2", prompt: "a lighthouse at dusk", size: "16:9" }'

/** Calls of the client, by operation. */
const calls: { readonly [operationId: string]: string } = {
  "models.list": "console.log(await atelier.models.list())",
  "models.get": 'console.log(await atelier.models.get("gen-image-2"))',
  "images.quote": `console.log(await atelier.images.quote(${request}))`,
  "images.submit": `const task = await atelier.images.submit(${request})\nconsole.log(task.id)`,
  "images.generate": `const image = await atelier.images.generate(${request})\nconsole.log(image.result_url)`,
  "account.balance": "console.log(await atelier.balance())",
  "tasks.get": `console.log(await atelier.tasks.wait(${task}))`,
  "tasks.events": `for await (const task of atelier.tasks.watch(${task})) {\n  console.log(task)\n}`,
  "tasks.list": "for await (const task of atelier.tasks.list()) {\n  console.log(task.id)\n}",
  "tasks.cancel": `console.log(await atelier.tasks.cancel(${task}))`,
  "tasks.history": `console.log(await atelier.tasks.history(${task}))`,
  "tasks.result": `console.log(await atelier.documents.result(${task}, "markdown"))`,
  "tools.list": "console.log(await atelier.tools.list())",
  "tools.upload":
    'const file = await atelier.documents.upload("notes.md", { tool: "text-md-json" })\nconsole.log(file.id)',
  "tools.invoke": 'const { markdown } = await atelier.documents.parse("notes.md")\nconsole.log(markdown)',
  "tools.deleteFile": 'await atelier.documents.deleteFile(process.env["FILE_ID"] ?? "")',
}

const typescript = (endpoint: Endpoint): string => {
  const { method, operationId } = endpoint
  const call = calls[operationId]
  if (call !== undefined) {
    return `import { Atelier } from "@atelier/client"\n\nconst atelier = new Atelier()\n${call}`
  }
  const env = (name: string) => `\${process.env["${name}"]}`
  const path = piecesOf(endpoint).map((piece) => (typeof piece === "string" ? piece : env(piece.variable)))
  const [token, key, form, body] = [tokenOf(endpoint), keyOf(endpoint), forms[operationId], bodyOf(endpoint)]
  const isJson = form === undefined && body !== undefined
  const headers = [
    ...(token === undefined ? [] : [`Authorization: \`Bearer ${env(token)}\``]),
    ...(key === undefined ? [] : [`"Idempotency-Key": "${key}"`]),
    ...(isJson ? ['"Content-Type": "application/json"'] : []),
  ]
  const before =
    form === undefined
      ? []
      : [
          'import { openAsBlob } from "node:fs"\n\nconst body = new FormData()',
          ...Object.entries(form.fields).map(([name, value]) => `body.append("${name}", "${value}")`),
          ...Object.entries(form.files).map(
            ([name, file]) => `body.append("${name}", await openAsBlob("${file}"), "${file}")`,
          ),
        ]
  const options = [
    ...(method === "GET" ? [] : [`method: "${method}"`]),
    ...(headers.length === 0 ? [] : [`headers: { ${headers.join(", ")} }`]),
    ...(isJson ? [`body: JSON.stringify(${jsonOf(body).replaceAll(/"([a-z_]+)":/g, "$1:")})`] : []),
    ...(form === undefined ? [] : ["body"]),
  ]
  const url = `\`${env("ATELIER_URL")}${path.join("")}${queries[operationId] ?? ""}\``
  const second = options.length === 0 ? "" : `, {\n${options.map((line) => `  ${line},\n`).join("")}}`
  return [...before, `const answer = await fetch(${url}${second})`, typescriptEnd(endpoint)].join("\n")
}

const typescriptEnd = ({ operationId }: Endpoint): string =>
  operationId === "media" ? "console.log((await answer.blob()).size)" : "console.log(await answer.text())"

/** A program for each language, which runs as it stands in the environment that the page names. */
export const samplesOf = (endpoint: Endpoint): { readonly [L in Language]: string } => ({
  curl: curl(endpoint),
  typescript: typescript(endpoint),
  python: python(endpoint),
})
