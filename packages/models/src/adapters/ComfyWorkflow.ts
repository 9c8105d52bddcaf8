import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** A workflow as ComfyUI's API takes it: nodes by their ids. */
const Workflow = Schema.Record(
  Schema.String,
  Schema.Struct({
    class_type: Schema.String,
    inputs: Schema.Record(Schema.String, Schema.Json),
    _meta: Schema.optionalKey(Schema.Json),
  }),
)
export type Workflow = typeof Workflow.Type

const decode = Schema.decodeUnknownOption(Workflow)

/** Where a value goes: `NODE.INPUT`, such as `6.text`. */
export const Place = Schema.String.check(
  Schema.isPattern(/^[^.]+\.[^.]+$/, { expected: "NODE.INPUT, such as 6.text" }),
)

/** The workflow of a setting: itself, or in a JSON file, from the working directory. A text says what is wrong. */
export const readWorkflow = (setting: unknown): Workflow | string => {
  const value = typeof setting === "string" ? parsed(setting) : setting
  if (value === undefined) return `the workflow file ${String(setting)} cannot be read as JSON`
  const workflow = decode(value)
  if (Option.isSome(workflow) && Object.keys(workflow.value).length > 0) return workflow.value
  return "the workflow is not in ComfyUI's API format: export it by File, Export (API)"
}

const parsed = (path: string): unknown => {
  try {
    return JSON.parse(readFileSync(resolve(path), "utf8"))
  } catch {
    return undefined
  }
}

/** The first place that the workflow does not have; undefined if it has all. */
export const missingPlace = (workflow: Workflow, places: ReadonlyArray<string>): string | undefined =>
  places.find((place) => {
    const [node, input] = splitPlace(place)
    return workflow[node]?.inputs[input] === undefined
  })

/** The workflow with values at their places; places that it lacks are passed over. */
export const filled = (
  workflow: Workflow,
  values: ReadonlyArray<readonly [place: string, value: string | number]>,
): Workflow => {
  const nodes = { ...workflow }
  for (const [place, value] of values) {
    const [id, input] = splitPlace(place)
    const node = nodes[id]
    if (node !== undefined) nodes[id] = { ...node, inputs: { ...node.inputs, [input]: value } }
  }
  return nodes
}

const splitPlace = (place: string): readonly [node: string, input: string] => {
  const dot = place.indexOf(".")
  return [place.slice(0, dot), place.slice(dot + 1)]
}
