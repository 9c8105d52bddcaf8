import type { Endpoint } from "./document.ts"
import { bodyOf, constants, formOf, queries, tokenOf } from "./samples.ts"

/** What the page needs to send a request of its own; its script makes a form of it. */
interface Trial {
  readonly method: string
  readonly path: string
  readonly needsKey: boolean
  readonly takesIdempotencyKey: boolean
  /** Parts of the path and of the query, with the values that they begin with. */
  readonly parameters: ReadonlyArray<{ readonly name: string; readonly in: string; readonly value: string }>
  readonly body?: string
  readonly form?: { readonly files: ReadonlyArray<string>; readonly fields: Readonly<Record<string, string>> }
}

/** Undefined for what is behind an admin token: operators have the console, which asks before it changes anything. */
export const trialOf = (endpoint: Endpoint): Trial | undefined => {
  const { method, operationId, parameters = [], path } = endpoint
  if (path.startsWith("/admin/") || !/^\/(v1|media)\//.test(path)) return undefined
  const query = new URLSearchParams(queries[operationId] ?? "")
  const form = formOf(endpoint)
  const body = form === undefined ? bodyOf(endpoint) : undefined
  return {
    method,
    path,
    needsKey: tokenOf(endpoint) !== undefined,
    takesIdempotencyKey: parameters.some(({ name }) => name === "idempotency-key"),
    parameters: parameters
      .filter((parameter) => parameter.in !== "header")
      .map((parameter) => ({
        name: parameter.name,
        in: parameter.in,
        value: (parameter.in === "path" ? constants[parameter.name] : query.get(parameter.name)) ?? "",
      })),
    ...(body === undefined ? {} : { body: JSON.stringify(body, null, 2) }),
    ...(form === undefined ? {} : { form: { files: Object.keys(form.files), fields: form.fields } }),
  }
}
