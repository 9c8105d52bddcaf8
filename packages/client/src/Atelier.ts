import { Catalog, Models } from "./Catalog.ts"
import { Documents } from "./Documents.ts"
import { Images } from "./Images.ts"
import { Tasks } from "./Tasks.ts"
import { type ClientOptions, Transport } from "./Transport.ts"
import type { Balance, CallOptions } from "./types.ts"
import { verifyWebhook } from "./webhooks.ts"

/**
 * A client of one service with one API key. Every submission is made under one idempotency key over all of its
 * tries, so that it makes one task at most; only what may be carried out twice is repeated.
 */
export class Atelier {
  readonly images: Images
  readonly documents: Documents
  readonly tasks: Tasks
  readonly models: Models
  readonly tools: Catalog
  readonly #transport: Transport
  readonly webhooks: { readonly verify: typeof verifyWebhook } = { verify: verifyWebhook }

  constructor(options: ClientOptions = {}) {
    const transport = new Transport(options)
    this.#transport = transport
    this.tasks = new Tasks(transport)
    this.models = new Models(transport)
    this.tools = new Catalog(transport)
    this.images = new Images(transport, this.tasks)
    this.documents = new Documents(transport, this.tasks, this.tools)
  }

  /** What the account has, and what of the key's quota is used, in account units. */
  balance({ signal }: CallOptions = {}): Promise<Balance> {
    return this.#transport.json<Balance>(
      { path: "/balance", signal },
      (body) => "object" in body && body.object === "balance",
    )
  }
}
