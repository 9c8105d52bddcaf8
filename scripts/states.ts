import { imageSteps, isFinal, type Step, toolSteps } from "@atelier/core"

/** docs/states.md: both transition tables, as diagrams and row by row. */
export const statesPage = (): string =>
  [
    "# States of a task",
    "",
    "Generated from the transition tables in `packages/core/src/domain/TaskState.ts` by `npm run generate`; do not edit.",
    "A task starts in `queued` with its fee held. A transition that is in no row cannot happen, and a final state never changes.",
    "",
    ...section("Image tasks", imageSteps),
    ...section("Tool tasks", toolSteps),
  ].join("\n")

const section = (title: string, steps: ReadonlyArray<Step>): ReadonlyArray<string> => [
  `## ${title}`,
  "",
  "```mermaid",
  "stateDiagram-v2",
  "  [*] --> queued: hold",
  ...steps.map(
    ({ from, event, to, money }) => `  ${from} --> ${to}: ${event}${money === "none" ? "" : `, ${money}`}`,
  ),
  ...[...new Set(steps.map(({ to }) => to))].filter(isFinal).map((state) => `  ${state} --> [*]`),
  "```",
  "",
  "| from | event | to | the held fee | rule |",
  "| --- | --- | --- | --- | --- |",
  ...steps.map(
    ({ from, event, to, money, source }) => `| ${from} | ${event} | ${to} | ${fee[money]} | ${source} |`,
  ),
  "",
]

const fee: Readonly<Record<Step["money"], string>> = {
  none: "stays held",
  settle: "is settled, the rest released",
  release: "is released",
}
