import { readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "../workspace.ts"
import { document, type Endpoint, exampleOf, type Parameter } from "./document.ts"
import { coloured, escape, inline, json } from "./html.ts"
import { languageNames, languages, samplesOf } from "./samples.ts"
import { bodyFields, objects, row, typeLink } from "./schemas.ts"
import { type Section, sections } from "./sections.ts"
import { trialOf } from "./trial.ts"

const here = import.meta.dirname
const read = (path: string): string => readFileSync(path, "utf8")
const font = (path: string): string => readFileSync(join(root, "node_modules", path)).toString("base64")

const fonts: ReadonlyArray<readonly [family: string, weight: string, path: string]> = [
  ["Manrope", "200 800", "@fontsource-variable/manrope/files/manrope-latin-wght-normal.woff2"],
  ["Instrument Serif", "400", "@fontsource/instrument-serif/files/instrument-serif-latin-400-normal.woff2"],
]

const faces = (): string =>
  fonts
    .map(
      ([family, weight, path]) =>
        `@font-face{font-family:"${family}";font-weight:${weight};font-display:swap;src:url(data:font/woff2;base64,${font(path)}) format("woff2")}`,
    )
    .join("\n")

const anchor = ({ operationId }: Endpoint): string => operationId.replaceAll(".", "-").toLowerCase()

const badge = (method: string): string => `<span class="method ${method.toLowerCase()}">${method}</span>`

const navigation = (): string =>
  [
    `<li><a href="#start">Start</a></li>`,
    ...sections.flatMap((section) => [
      sectionLinks(section),
      ...(section.id === "callbacks" ? [`<li><a href="#errors">Errors</a></li>`] : []),
    ]),
    `<li><a href="#objects">Objects</a></li>`,
  ].join("\n")

const sectionLinks = ({ id, title, endpoints }: Section): string =>
  `<li><a href="#${id}">${title}</a><ul>${endpoints
    .map((endpoint) => `<li><a href="#${anchor(endpoint)}">${escape(endpoint.summary)}</a></li>`)
    .join("")}</ul></li>`

const parameterRows = (title: string, parameters: ReadonlyArray<Parameter>): string =>
  parameters.length === 0
    ? ""
    : `<h4>${title}</h4><dl>${parameters
        .map(({ name, schema, description, required }) =>
          row(
            name.replaceAll(/(^|-)[a-z]/g, (letter) => (title === "Headers" ? letter.toUpperCase() : letter)),
            schema,
            description,
            `<span class="need${required === true ? "" : " may"}">${required === true ? "required" : "optional"}</span>`,
          ),
        )
        .join("\n")}</dl>`

const bodyOf = ({ requestBody }: Endpoint): string => {
  const [found] = Object.entries(requestBody?.content ?? {})
  if (found === undefined) return ""
  const [type, { schema }] = found
  return `<h4>Body <span class="type">${escape(type)}</span></h4>${bodyFields(schema)}`
}

const answersOf = ({ responses }: Endpoint): string => {
  const all = Object.entries(responses)
  const successes = all.filter(([status]) => !/^[45]/.test(status))
  const errors = all.filter(([status]) => /^[45]/.test(status))
  const rows = successes.map(([status, { description = "", content = {} }]) => {
    const bodies = Object.entries(content).map(([type, { schema }]) =>
      type === "application/json" ? typeLink(schema) : `<code>${escape(type)}</code>`,
    )
    return `<li><strong>${status}</strong> ${[...new Set(bodies)].join(" or ")} ${description === "Success." ? "" : inline(description)}</li>`
  })
  const refusals = errors
    .map(([status]) => `<a href="#error-${status.toLowerCase()}">${status}</a>`)
    .join(" ")
  const line = refusals === "" ? "" : `<li>Errors: ${refusals}</li>`
  return `<h4>Answers</h4><ul class="answers">${rows.join("")}${line}</ul>`
}

const sampleOf = (endpoint: Endpoint): string => {
  const id = anchor(endpoint)
  const samples = samplesOf(endpoint)
  const choices = languages.map(
    (language, index) =>
      `<label><input type="radio" name="l-${id}" value="${language}"${index === 0 ? " checked" : ""}>${languageNames[language]}</label>`,
  )
  const panels = languages.map(
    (language) =>
      `<pre class="${language}" role="group" tabindex="0" aria-label="${escape(`${endpoint.summary}, ${languageNames[language]}`)}"><code>${coloured(samples[language])}</code></pre>`,
  )
  return `<div class="samples"><fieldset><legend>Language of the sample</legend>${choices.join("")}</fieldset>${panels.join("")}</div>`
}

const answerExample = (endpoint: Endpoint): string => {
  const [status, response] = Object.entries(endpoint.responses).find(([each]) => /^2/.test(each)) ?? []
  const example = exampleOf(response?.content)
  if (example === undefined) return ""
  return `<figure><figcaption>${status}</figcaption><pre role="group" tabindex="0" aria-label="${escape(`${endpoint.summary}, answer`)}"><code>${json(example)}</code></pre></figure>`
}

const operation = (endpoint: Endpoint): string => {
  const { parameters = [] } = endpoint
  const of = (place: string) => parameters.filter((parameter) => parameter.in === place)
  const trial = trialOf(endpoint)
  const data = trial === undefined ? "" : ` data-trial="${escape(JSON.stringify(trial))}"`
  return `<article id="${anchor(endpoint)}"${data}>
<div class="text"><h3><a href="#${anchor(endpoint)}">${escape(endpoint.summary)}</a></h3>
<p class="path">${badge(endpoint.method)} <code>${escape(endpoint.path).replaceAll("/", "/<wbr>")}</code></p>
<p>${inline(endpoint.description)}</p>
${parameterRows("Path", of("path"))}${parameterRows("Query", of("query"))}${parameterRows("Headers", of("header"))}
${bodyOf(endpoint)}${answersOf(endpoint)}</div>
<div class="code">${sampleOf(endpoint)}${answerExample(endpoint)}</div>
</article>`
}

const sectionOf = (section: Section): string =>
  `<section id="${section.id}"><h2>${section.title}</h2><p class="lead">${inline(section.lead)}</p>
${section.id === "callbacks" ? webhook() : ""}${section.endpoints.map(operation).join("\n")}</section>
${section.id === "callbacks" ? errors() : ""}`

const webhook = (): string =>
  Object.values(document.webhooks)
    .map(({ post }) => {
      const { summary, description, parameters = [], requestBody } = post
      return `<article id="webhook"><div class="text"><h3><a href="#webhook">${escape(summary)}</a></h3>
<p class="path">${badge("POST")} <code>your callback_url</code></p><p>${inline(description)}</p>
${parameterRows("Headers", parameters)}</div>
<div class="code"><figure><figcaption>What your server receives</figcaption><pre role="group" tabindex="0" aria-label="A callback"><code>${json(exampleOf(requestBody?.content))}</code></pre></figure></div></article>`
    })
    .join("\n")

const errors = (): string => {
  const rows = Object.values(document.components.responses).flatMap((response) => {
    const example = exampleOf(response.content)
    return [{ description: response.description ?? "", example }]
  })
  const status = statuses()
  const items = rows
    .map(({ description, example }, index) => ({ status: status[index] ?? "", description, example }))
    .toSorted((a, b) => Number(a.status) - Number(b.status))
    .map(
      ({ status, description, example }) => `<article id="error-${status}" class="error">
<div class="text"><h3>${status}</h3><p>${inline(description)}</p></div>
<div class="code"><pre role="group" tabindex="0" aria-label="An error with status ${status}"><code>${json(example)}</code></pre></div></article>`,
    )
  return `<section id="errors"><h2>Errors</h2><p class="lead">${inline(
    "Every error, on every path, has one body. Decide by `code`; `message` is for people. 429 and 503 say in `Retry-After` when to come back; 401, 429 and 5xx leave no trace under an idempotency key, so that the same request may be sent again.",
  )}</p>${items.join("\n")}</section>`
}

/** The status of each shared response, by the operations that answer with it. */
const statuses = (): ReadonlyArray<string> =>
  Object.keys(document.components.responses).map((name) => {
    const operations = Object.values(document.paths).flatMap((item) => Object.values(item))
    const found = operations
      .flatMap(({ responses }) => Object.entries(responses))
      .find(([, { $ref }]) => $ref?.endsWith(`/${name}`) === true)
    return found?.[0] ?? ""
  })

const start = `<section id="start"><h1>Atelier API</h1>
<p class="lead">Images and documents behind one API key. Submit and get a task id at once; the fee is held; wait, watch or be called back. Success settles the fee, failure gives it back.</p>
<article><div class="text">
<ul>
<li>Every request carries <code>Authorization: Bearer &lt;API key&gt;</code>.</li>
<li>Times are Unix seconds, sizes bytes, amounts account units: 500,000 are 1 USD unless the operator says otherwise.</li>
<li>After a lost answer repeat with the same <code>Idempotency-Key</code>; a new operation takes a new one.</li>
<li><code>RateLimit</code> says how many requests are left; 429 comes with <code>Retry-After</code>.</li>
<li>The same for machines: <a href="/openapi.json">openapi.json</a>.</li>
</ul></div>
<div class="code"><p class="note">Samples run as they stand once these are set; TypeScript with <code>@atelier/client</code> on Node, Python with <code>requests</code>. “Try it” below a sample sends the request from this page, with a key that the page forgets when it is closed.</p>
<pre role="group" tabindex="0" aria-label="The environment of the samples"><code>${coloured('export ATELIER_URL="http://127.0.0.1:8787"\nexport ATELIER_API_KEY="sk-atl-…"')}</code></pre></div></article></section>`

/** The whole page: one file, which asks for nothing else and works without its script. */
export const referencePage = (): string => {
  const style = `${faces()}\n${read(join(here, "page.css"))}`
  const script = ["page.js", "try.js"].map((file) => read(join(here, file))).join("\n")
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="Every endpoint of Atelier, its fields, errors and samples.">
<title>Atelier API reference</title>
<style>${style}</style>
</head>
<body>
<a class="skip" href="#main">To the content</a>
<header><a class="brand" href="/">Atelier</a><details class="menu"><summary>Contents</summary><nav aria-label="Contents of the page"><ul>
${navigation()}
</ul></nav></details></header>
<main id="main">
${start}
${sections.map(sectionOf).join("\n")}
<section id="objects"><h2>Objects</h2><p class="lead">Every body by its name.</p>${objects()}</section>
</main>
<script>${script}</script>
</body>
</html>
`
}
