// "Try it": sends the request of an endpoint from this page, with a key that stays in the page's memory.
const shared = new Map()
const make = (name, properties = {}, ...children) => {
  const element = Object.assign(document.createElement(name), properties)
  element.append(...children)
  return element
}
/** A labelled input; those of the same name share what is typed, so that an id or a key is pasted once. */
const field = (name, label, properties, isShared) => {
  const { element = "input", ...rest } = properties
  const input = make(element, { name, autocomplete: "off", spellcheck: false, ...rest })
  if (isShared) {
    input.dataset.shared = name
    if (shared.has(name)) input.value = shared.get(name)
    input.addEventListener("input", () => share(name, input.value))
  }
  return make("label", {}, make("span", { textContent: label }), input)
}
const share = (name, value) => {
  shared.set(name, value)
  for (const input of document.querySelectorAll(`[data-shared="${name}"]`)) {
    if (input.value !== value) input.value = value
  }
}
const fieldsOf = ({ needsKey, takesIdempotencyKey, parameters, body, form }) => [
  ...(needsKey
    ? [field("key", "API key", { type: "password", placeholder: "sk-atl-…", required: true }, true)]
    : []),
  ...parameters.map(({ name, in: place, value }) =>
    field(name, name, { value, required: place === "path" }, place === "path" && value === ""),
  ),
  ...(takesIdempotencyKey
    ? [field("idempotency-key", "Idempotency-Key", { placeholder: "a new one for each request" })]
    : []),
  ...(form?.files ?? []).map((name) => field(name, name, { type: "file", required: true })),
  ...Object.entries(form?.fields ?? {}).map(([name, value]) => field(name, name, { value })),
  ...(body === undefined
    ? []
    : [field("body", "Body", { element: "textarea", value: body, rows: body.split("\n").length })]),
]
const requestOf = ({ method, path, parameters, takesIdempotencyKey, body, form }, data) => {
  const valueOf = ({ name }) => data.get(name).trim()
  const query = new URLSearchParams(
    parameters
      .filter((each) => each.in === "query" && valueOf(each) !== "")
      .map((each) => [each.name, valueOf(each)]),
  )
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(data.get(name).trim()))
  const headers = { accept: "*/*" }
  if (data.has("key")) headers.authorization = `Bearer ${data.get("key").trim()}`
  if (takesIdempotencyKey) {
    headers["idempotency-key"] =
      data.get("idempotency-key").trim() || crypto.getRandomValues(new Uint32Array(4)).join("-")
  }
  if (body !== undefined) headers["content-type"] = "application/json"
  const parts = new FormData()
  for (const name of [...Object.keys(form?.fields ?? {}), ...(form?.files ?? [])])
    parts.append(name, data.get(name))
  return {
    url: filled + (query.size > 0 ? `?${query}` : ""),
    init: { method, headers, body: form ? parts : body === undefined ? undefined : data.get("body") },
  }
}
/** Ids of an answer go where the next request asks for them. */
const keepIds = (value) => {
  const ids = { "image.task": "task_id", "tool.task": "task_id", "tool.file": "file_id" }
  const name = ids[value?.object]
  if (name === undefined) return
  share(name, value.id)
  const image = /\/media\/([^/?]+)$/.exec(value.result_url ?? "")
  if (image) share("name", image[1])
  if (name === "file_id") {
    for (const body of document.querySelectorAll("textarea")) {
      body.value = body.value.replace(/("file_id": ")[^"]*/, `$1${value.id}`)
    }
  }
}
const show = async (answer, output) => {
  const type = answer.headers.get("content-type") ?? ""
  if (type.startsWith("image/")) {
    const image = make("img", { alt: "The image of the answer" })
    image.src = URL.createObjectURL(await answer.blob())
    return output.replaceWith(image)
  }
  if (type.startsWith("text/event-stream")) {
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader()
    for (let read = await reader.read(); !read.done; read = await reader.read())
      output.textContent += read.value
    return
  }
  const text = await answer.text()
  try {
    const value = JSON.parse(text)
    output.textContent = JSON.stringify(value, null, 2)
    keepIds(value)
  } catch {
    output.textContent = text
  }
}
const trial = (article) => {
  const request = JSON.parse(article.dataset.trial)
  const title = article.querySelector("h3").textContent
  const button = make("button", { textContent: "Send" })
  const status = make("p", { className: "status" })
  status.setAttribute("role", "status")
  const answer = make("div")
  const paid = /^(images\/(tasks|generations|edits)|tools\/.*\/invoke)/.test(request.path.slice(4))
  const note = make("p", { textContent: "A request like any other: the key's account pays for it." })
  const form = make(
    "form",
    {},
    ...(paid && request.method === "POST" ? [note] : []),
    ...fieldsOf(request),
    button,
  )
  let running
  form.addEventListener("submit", async (event) => {
    event.preventDefault()
    running?.abort()
    const own = new AbortController()
    running = own
    const output = make("pre", { tabIndex: 0 })
    output.setAttribute("role", "group")
    output.setAttribute("aria-label", `${title}, the answer to your request`)
    status.textContent = "Waiting for the answer…"
    answer.replaceChildren()
    try {
      const { url, init } = requestOf(request, new FormData(form))
      const response = await fetch(url, { ...init, signal: own.signal })
      const id = response.headers.get("x-request-id")
      status.textContent = [response.status, response.statusText, id && `request ${id}`]
        .filter(Boolean)
        .join(" · ")
      answer.replaceChildren(output)
      await show(response, output)
    } catch (error) {
      if (running === own) status.textContent = `No answer: ${error.message}`
    }
  })
  const details = make(
    "details",
    { className: "try" },
    make("summary", { textContent: "Try it" }),
    form,
    status,
    answer,
  )
  details.addEventListener("toggle", () => {
    if (!details.open) running?.abort()
  })
  article.querySelector(".code").append(details)
}
for (const article of document.querySelectorAll("[data-trial]")) trial(article)
