import { type Endpoint, endpoints } from "./document.ts"

export interface Section {
  readonly id: string
  readonly title: string
  /** What a reader can do after it, as Markdown. */
  readonly lead: string
  readonly endpoints: ReadonlyArray<Endpoint>
}

/** The order in which a caller meets the endpoints. An endpoint belongs to the first section that takes its path. */
const order: ReadonlyArray<readonly [id: string, title: string, takes: RegExp, lead: string]> = [
  [
    "models",
    "Models",
    /^\/v1\/models/,
    "Find out what the key may make, with which parameters and at which price.",
  ],
  [
    "price",
    "Price",
    /^\/v1\/(images\/quote|balance)$/,
    "Know the fee before anything is held, and what there is to spend.",
  ],
  [
    "submit",
    "Submit",
    /^\/v1\/images\//,
    "Submit, and keep the id of the task in `TASK_ID`. The fee is held; success charges it, failure gives it back. After a lost answer send the same request with the same `Idempotency-Key`.",
  ],
  [
    "callbacks",
    "Be called back",
    /^\/v1\/tasks\/\{task_id\}\/callbacks/,
    "Instead of waiting: name a `callback_url` in the submission, and it receives the final task.",
  ],
  [
    "result",
    "Result",
    /^(\/media\/|\/v1\/tasks\/\{task_id\}\/(result|history)$)/,
    "Images are links in the task. Documents are Markdown and JSON.",
  ],
  [
    "wait",
    "Wait",
    /^\/v1\/tasks/,
    "Ask for the final state, watch every change, or cancel what still waits.",
  ],
  [
    "documents",
    "Documents",
    /^\/v1\/tool/,
    "Upload a document and keep its id in `FILE_ID`; have it parsed; wait and read the result as above.",
  ],
  [
    "admin",
    "Administration",
    /^\/admin\//,
    "For operators: users, keys, prices, the ledger and the audit log. Takes an admin token, here in `ATELIER_ADMIN_TOKEN`.",
  ],
  ["system", "System", /./, "Pages and checks of the server itself. They need no key."],
]

/** How the page goes through them. */
const shown = ["models", "price", "submit", "wait", "result", "callbacks", "documents", "admin", "system"]

const idOf = ({ path }: Endpoint): string => order.find(([, , takes]) => takes.test(path))?.[0] ?? "system"

/** Operations that come first in their section, as they are needed; the others follow as they are written. */
const first = [
  "images.submit",
  "tasks.get",
  "tasks.events",
  "tasks.list",
  "media",
  "tasks.result",
  "tools.list",
]
const rank = ({ operationId }: Endpoint): number => {
  const index = first.indexOf(operationId)
  return index < 0 ? first.length : index
}

export const sections: ReadonlyArray<Section> = shown.map((id) => {
  const [, title = "", , lead = ""] = order.find(([each]) => each === id) ?? []
  const own = endpoints.filter((endpoint) => idOf(endpoint) === id)
  return { id, title, lead, endpoints: own.toSorted((a, b) => rank(a) - rank(b)) }
})
