/** A customer of the cluster, who may call any of its API processes. */
export class Customer {
  readonly #key: string

  constructor(key: string) {
    this.#key = key
  }

  /** Gives the task's id. */
  async image(url: string, prompt: string): Promise<string> {
    const json = { model: "gen-image-2", prompt, size: "256x256" }
    const { task_id } = await this.#ask(`${url}/v1/images/tasks`, post(json))
    return String(task_id)
  }

  /** Uploads at one process and invokes the tool at another. Gives the task's id. */
  async document(uploadUrl: string, invokeUrl: string, name: string): Promise<string> {
    const form = new FormData()
    form.append("file", new Blob([`# ${name}\n\nHigh water at 06:12.\n`]), `${name}.md`)
    const tool = "/v1/tools/text-md-json"
    const file = await this.#ask(`${uploadUrl}${tool}/files`, { method: "POST", body: form })
    const json = { input: { file_id: file["id"] } }
    const headers = { "idempotency-key": `document-${name}` }
    const task = await this.#ask(`${invokeUrl}${tool}/invoke`, post(json, headers))
    return String(task["id"])
  }

  /** The state of a task: the final one, or the one after this many seconds. */
  async state(url: string, task: string, seconds = 0): Promise<string> {
    const { state, status } = await this.#ask(`${url}/v1/tasks/${task}?wait=${seconds}`, {})
    return String(state ?? status)
  }

  async #ask(url: string, init: RequestInit): Promise<Readonly<Record<string, unknown>>> {
    const headers = new Headers(init.headers)
    headers.set("authorization", `Bearer ${this.#key}`)
    const response = await fetch(url, { ...init, headers })
    const body: unknown = await response.json()
    if (!response.ok) throw new Error(`${response.status} ${JSON.stringify(body)}`)
    return Object(body)
  }
}

const post = (json: object, headers: object = {}): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify(json),
})
