import { requireContract } from "@atelier/api/testing"
import { expect } from "vitest"
import { type Answer, at, textAt } from "./server.ts"

const unitsPerUsd = 500_000

/** Account units of an amount of US dollars (contract, Money). */
export const unitsOf = (usd: number): number => Math.round(usd * unitsPerUsd)

/** A refusal in one line, `400 invalid_parameter n`; expects that it has the shape of every error. */
export const refusalIn = ({ status, body, headers }: Answer): string => {
  const id = headers.get("x-request-id")
  expect(id).toMatch(/^req_[0-9a-z]{26}$/)
  expect(body).toEqual({
    error: {
      message: expect.stringMatching(/\w/),
      type: expect.stringMatching(/_error$/),
      code: expect.stringMatching(/^[a-z0-9_]+$/),
      param: expect.toSatisfy((param) => param === null || typeof param === "string"),
    },
    request_id: id,
    ...(at(body, "task_id") === undefined
      ? {}
      : { task_id: textAt(body, "task_id"), data: { task_id: textAt(body, "task_id") } }),
  })
  const param = at(body, "error.param")
  return `${status} ${textAt(body, "error.code")}${param === null ? "" : ` ${String(param)}`}`
}

export interface ServerSentEvent {
  readonly id: string
  readonly event: string
  readonly data: unknown
}

/** Server-Sent Events until the server ends them or the reader has enough. */
export async function* events(
  url: string,
  key: string,
  headers: Readonly<Record<string, string>> = {},
): AsyncGenerator<ServerSentEvent> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${key}`, ...headers } })
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/event-stream"])
  let text = ""
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const blocks = `${text}${chunk}`.split("\n\n")
    text = blocks.pop() ?? ""
    for (const block of blocks.filter((each) => each !== ":")) {
      const fields = new Map(block.split("\n").map((line) => [line.split(": ", 1)[0], line]))
      const field = (name: string) => fields.get(name)?.slice(name.length + 2) ?? ""
      requireContract({
        method: "GET",
        path: new URL(url).pathname,
        status: response.status,
        headers: Object.fromEntries(response.headers),
        text: `${block}\n\n`,
      })
      yield { id: field("id"), event: field("event"), data: JSON.parse(field("data")) }
    }
  }
}
