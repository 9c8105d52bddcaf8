import { execFileSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { root } from "../scripts/workspace.ts"

/** The clauses of a page: sections by number or title, and the numbered rules below each: `4.5`, `4.5.8`. */
const clausesOf = (name: string): ReadonlySet<string> => {
  const clauses = new Set<string>()
  let section = ""
  for (const line of readFileSync(join(root, "docs/specification", `${name}.md`), "utf8").split("\n")) {
    const [, heading] = /^#{2,6} (.+)$/.exec(line) ?? []
    if (heading !== undefined) {
      section = /^\d+(?:\.\d+)*/.exec(heading)?.[0] ?? heading
      clauses.add(section)
    }
    const [, rule] = /^(\d+)\. /.exec(line) ?? []
    if (rule !== undefined) clauses.add(`${section}.${rule}`)
  }
  return clauses
}

const clauses = {
  "image-tasks": clausesOf("image-tasks"),
  "document-tools": clausesOf("document-tools"),
  contract: clausesOf("contract"),
}

/** A reference as it is written, and what of it leads nowhere. */
interface Broken {
  readonly text: string
  readonly clause: string
}

const number = String.raw`[1-9](?:\.\d+)*(?!\d)(?:, rule (?=\d))?`
const numbered = new RegExp(
  `\\b(image-tasks|document-tools) (${number}(?:(?:, and |, | and )?${number})*)`,
  "g",
)
const titles = [...clauses.contract]
const titled = /\bcontract, (?=([A-Z].{0,40}))/g

/** `3, rule 1` is rule 3.1; all other numbers stand for themselves. */
const numbersIn = (text: string): ReadonlyArray<string> =>
  text.replaceAll(/, rule (\d)/g, ".$1").match(/\d(?:\.\d+)*/g) ?? []

const brokenNumbers = (text: string): ReadonlyArray<Broken> =>
  [...text.matchAll(numbered)].flatMap(([whole, page, numbers = ""]) =>
    numbersIn(numbers)
      .filter((clause) => !clauses[page === "image-tasks" ? "image-tasks" : "document-tools"].has(clause))
      .map((clause) => ({ text: whole, clause })),
  )

const brokenTitles = (text: string): ReadonlyArray<Broken> =>
  [...text.matchAll(titled)]
    .filter(([, rest = ""]) => !titles.some((title) => new RegExp(`^${title}(?![a-z])`).test(rest)))
    .map(([, rest = ""]) => ({ text: `contract, ${rest}`, clause: rest }))

const brokenIn = (text: string): ReadonlyArray<Broken> => {
  // Comments wrap: a reference may go on in the next line.
  const flat = text.replaceAll(/\s*\n\s*(?:\*|\/\/)?\s*/g, " ")
  return [...brokenNumbers(flat), ...brokenTitles(flat)]
}

const files = (): ReadonlyArray<string> =>
  execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
  })
    .split("\n")
    .filter((path) => /\.(?:ts|tsx|js|md|json|sql|wat)$/.test(path) && path !== "test/specification.test.ts")
    .filter((path) => !path.includes("/fixtures/") && existsSync(join(root, path)))

describe("specification: every clause that the repository names is written in docs/specification", () => {
  it("no reference leads nowhere", () => {
    const found = files().flatMap((path) =>
      brokenIn(readFileSync(join(root, path), "utf8")).map(({ text }) => `${path}: ${text}`),
    )
    expect(found).toEqual([])
  })

  it.each([
    ["image-tasks 4.6", "4.6"],
    ["image-tasks 4.5.9", "4.5.9"],
    ["image-tasks 2.4, 3 and 9.5", "9.5"],
    ["document-tools 3, rule 5", "3.5"],
    ["contract, Money; contract, Prices", "Prices"],
    ["(see document-tools\n * 8 and 9.7)", "9.7"],
  ])("the check sees it in %j", (text, clause) => {
    expect(brokenIn(text).map((broken) => broken.clause)).toEqual([clause])
  })

  it.each([
    "image-tasks 4.5.8 and 7: after a refusal",
    "image-tasks 5.2 and 7, 401: an invalid key",
    "document-tools 3, rule 2 and 7, 410",
    "document-tools 1, standard tools",
    "contract, Images: artgen",
    "contract, Later decisions: Answers",
  ])("the check passes %j", (text) => {
    expect(brokenIn(text)).toEqual([])
  })
})

describe("decisions: each has the same headings, and its row in the index", () => {
  const folder = join(root, "docs/decisions")
  const index = readFileSync(join(folder, "README.md"), "utf8")
  const decisions = readdirSync(folder).filter((name) => name !== "README.md")

  it.each(decisions)("%s", (name) => {
    const lines = readFileSync(join(folder, name), "utf8").split("\n")
    const headings = lines.filter((line) => line.startsWith("## "))
    expect(headings).toEqual(["## Status", "## Context", "## Decision", "## Consequences"])
    expect(lines[0]).toMatch(new RegExp(`^# ${Number(name.slice(0, 4))}\\. `))
    expect(index).toContain(`](${name})`)
  })

  it("every decision that the repository names is there", () => {
    const numbers = new Set(decisions.map((name) => Number(name.slice(0, 4))))
    const found = files().flatMap((path) =>
      [...readFileSync(join(root, path), "utf8").matchAll(/\bdecision (\d+)/g)]
        .filter(([, cited]) => !numbers.has(Number(cited)))
        .map(([text]) => `${path}: ${text}`),
    )
    expect(found).toEqual([])
  })
})
