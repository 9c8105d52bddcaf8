import { fileURLToPath } from "node:url"
import { PooledExecutor } from "@atelier/executor"
import { EpubExecutor, definition as epub } from "@atelier/executor-epub"
import { NotebookExecutor, definition as notebook } from "@atelier/executor-notebook"
import { PptxExecutor, definition as pptx } from "@atelier/executor-pptx"
import { TextExecutor, definition as text } from "@atelier/executor-text"
import { parsingProcess } from "@atelier/intake"
import { drawingModule } from "@atelier/models"
import { ifInstalled } from "./optional.ts"

const convert = await ifInstalled(import("@atelier/executor-convert"))
const scan = await ifInstalled(import("@atelier/executor-scan"))

/** The modules of the document tools that are installed, by URL. */
const tools = [
  { definition: text, modules: [TextExecutor.parsingModule] },
  { definition: pptx, modules: [PptxExecutor.parsingModule] },
  { definition: notebook, modules: [NotebookExecutor.parsingModule] },
  { definition: epub, modules: [EpubExecutor.parsingModule] },
  ...(convert === undefined
    ? []
    : [
        {
          definition: convert.definition,
          modules: [convert.ConvertExecutor.parsingModule, convert.EmbeddedConverter.parsingModule],
        },
      ]),
  ...(scan === undefined
    ? []
    : [{ definition: scan.definition, modules: [scan.ScanExecutor.parsingModule] }]),
]

/**
 * The modules that other processes and threads load, as entry points of a bundle: the name in it, below a folder, and
 * the file. The setting `workerModules` of `createAtelier` names that folder.
 */
export const workerModules = (folder = "atelier"): { readonly [name: string]: string } => {
  const named: ReadonlyArray<readonly [string, string]> = [
    ["parsing-process", parsingProcess],
    ["drawing", drawingModule],
    ...tools.flatMap(({ definition, modules }) =>
      modules.map((module) => [PooledExecutor.moduleName(definition, module), module] as const),
    ),
  ]
  return Object.fromEntries(named.map(([name, url]) => [`${folder}/${name}`, fileURLToPath(url)]))
}

/**
 * Packages with files or native parts of their own, which a bundle leaves outside: they are installed beside it, where
 * the application uses them. The first two draw images without a vendor, the third reads PDFs, the next two scans.
 */
export const external: ReadonlyArray<string> = [
  "@resvg/resvg-js",
  "@expo-google-fonts/*",
  "@hyzyla/pdfium",
  "tesseract.js-core",
  "@tesseract.js-data/*",
  "pg",
  "pg-native",
  "graphile-worker",
  "@effect/sql-pg",
]
