import { readFileSync } from "node:fs"
import { basename, dirname, join, relative, resolve } from "node:path"
import { readTree, splitSpecifier, type Tree } from "./imports.ts"
import { root } from "./workspace.ts"

/** Who needs whom: for each name the names that it needs. */
type Graph = ReadonlyMap<string, ReadonlyArray<string>>

/** `docs/architecture.md` with what lies between its marks made from the imports and layers of the sources. */
export const architecturePage = (): string => {
  const tree = readTree(root)
  const parts: Readonly<Record<string, string>> = {
    packages: packagesPart(tree),
    services: servicesPart(tree),
  }
  return readFileSync(join(root, "docs/architecture.md"), "utf8").replaceAll(
    /(<!-- generated: (\w+) -->\n)[\s\S]*?(<!-- end -->)/g,
    (_, start: string, name: string, end: string) => `${start}\n${parts[name] ?? ""}\n${end}`,
  )
}

const packagesPart = (tree: Tree): string => {
  const graph = packageGraph(tree)
  const rows = tree.packages.map(({ folder, manifest }) => {
    const needed = graph.get(shortOf(folder)) ?? []
    return `| \`${manifest.name}\` | ${manifest.description ?? ""} | ${needed.join(", ")} |`
  })
  return `${diagram(direct(graph))}\n| package | what it holds | imports |\n| --- | --- | --- |\n${rows.join("\n")}\n`
}

const shortOf = (folder: string): string => relative(join(root, "packages"), folder)

const packageGraph = ({ packages, imports }: Tree): Graph =>
  new Map(
    packages.map(({ folder }) => {
      const used = imports
        .filter(({ file }) => file.startsWith(`${folder}/src/`))
        .map(({ specifier }) => splitSpecifier(specifier).name)
      const needed = packages.filter(({ manifest }) => used.includes(manifest.name))
      return [shortOf(folder), needed.map((each) => shortOf(each.folder))]
    }),
  )

const servicesPart = (tree: Tree): string => {
  const sources = coreSources(tree)
  const needs = coreNeeds(tree, sources)
  const ports = new Set(
    [...sources].flatMap(([file, text]) => (/\/ports\//.test(file) ? servicesOf(text) : [])),
  )
  const inner = new Map([...needs].map(([name, needed]) => [name, needed.filter((each) => !ports.has(each))]))
  const rows = [...needs]
    .map(([name, needed]) => ({ name, asked: needed.filter((each) => ports.has(each)) }))
    .filter(({ asked }) => asked.length > 0)
    .map(({ name, asked }) => `| \`${name}\` | ${asked.join(", ")} |`)
  return `${diagram(inner)}\n| service or worker | ports it needs |\n| --- | --- |\n${rows.join("\n")}\n`
}

/** The sources of core's ports, services and workers. */
const coreSources = ({ modules }: Tree): ReadonlyMap<string, string> =>
  new Map(
    [...modules.keys()]
      .filter((file) => /\/packages\/core\/src\/(ports|services|workers)\//.test(file))
      .map((file) => [file, readFileSync(file, "utf8")]),
  )

/** The services that a source defines. */
const servicesOf = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/export (?:class|const) (\w+) (?:extends|=) Context\.(?:Service|Reference)</g)].map(
    ([, name = ""]) => name,
  )

const hasLayer = (text: string): boolean => /(static readonly|export const) layer\b/.test(text)
const isRunning = (file: string): boolean => /\/(services|workers)\/[^/]+$/.test(file)

/** The services and workers that have a layer, and what each layer asks for, itself or by a helper beside it. */
const coreNeeds = (tree: Tree, sources: ReadonlyMap<string, string>): Graph => {
  const services = new Set([...sources.values()].flatMap(servicesOf))
  const asked = (file: string): ReadonlyArray<string> => {
    const own = [...(sources.get(file) ?? "").matchAll(/yield\* (\w+)\b(?!\()/g)].map(([, name = ""]) => name)
    const helpers = tree.imports
      .filter((each) => each.file === file && each.specifier.startsWith("."))
      .map(({ specifier }) => resolve(dirname(file), specifier))
      .filter((target) => isRunning(target) && !hasLayer(sources.get(target) ?? ""))
    return [...own, ...helpers.flatMap(asked)].filter((name) => services.has(name))
  }
  return new Map(
    [...sources]
      .filter(([file, text]) => isRunning(file) && hasLayer(text))
      .map(([file]): [string, ReadonlyArray<string>] => [
        basename(file, ".ts"),
        [...new Set(asked(file))].toSorted(),
      ])
      .filter(([, needed]) => needed.length > 0),
  )
}

/** Without the arrows that follow from others. */
const direct = (graph: Graph): Graph => {
  const reaches = (from: string, to: string): boolean =>
    (graph.get(from) ?? []).some((next) => next === to || reaches(next, to))
  return new Map(
    [...graph].map(([name, needed]) => [
      name,
      needed.filter((to) => !needed.some((other) => other !== to && reaches(other, to))),
    ]),
  )
}

const diagram = (graph: Graph): string => {
  const arrows = [...graph].flatMap(([name, needed]) =>
    needed.length === 0 ? [] : [`  ${name} --> ${needed.join(" & ")}`],
  )
  return ["```mermaid", "flowchart LR", ...arrows, "```", ""].join("\n")
}
