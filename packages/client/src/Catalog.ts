import { isList } from "./Tasks.ts"
import { invalidArgument, type Transport } from "./Transport.ts"
import type { CallOptions, Model, Tool } from "./types.ts"

/** The image models that the key may use, with parameters, limits and prices. */
export class Models {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  async list({ signal }: CallOptions = {}): Promise<ReadonlyArray<Model>> {
    return (await this.#transport.json<{ data: ReadonlyArray<Model> }>({ path: "/models", signal }, isList))
      .data
  }

  get(id: string, { signal }: CallOptions = {}): Promise<Model> {
    const request = { path: `/models/${encodeURIComponent(id)}`, signal }
    return this.#transport.json<Model>(request, (body) => "object" in body && body.object === "model")
  }
}

/** The document tools that the key may use, with prices, sizes and extensions. */
export class Catalog {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  async list({ signal }: CallOptions = {}): Promise<ReadonlyArray<Tool>> {
    return (await this.#transport.json<{ data: ReadonlyArray<Tool> }>({ path: "/tools", signal }, isList))
      .data
  }

  /**
   * Id of the tool for a file of this name: of those that take its extension the one that takes the fewest kinds of
   * files, as it was made for them; of equals the cheapest.
   */
  async toolFor(filename: string, options: CallOptions = {}): Promise<string> {
    const dot = filename.lastIndexOf(".")
    const extension = dot < 0 ? "" : filename.slice(dot).toLowerCase()
    const tools = (await this.list(options)).filter(({ extensions }) => extensions.includes(extension))
    const [best] = tools.toSorted(bySpecialty)
    if (best === undefined)
      throw invalidArgument(
        "tool",
        `is missing, and no tool takes ${extension || "a name without an extension"}`,
      )
    return best.id
  }
}

const bySpecialty = (a: Tool, b: Tool): number =>
  a.extensions.length - b.extensions.length ||
  Number(a.pricing_display.unit_price) - Number(b.pricing_display.unit_price)
