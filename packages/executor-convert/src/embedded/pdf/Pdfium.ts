import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { PDFiumModule } from "@hyzyla/pdfium"
import { convertLimits } from "../../Limits.ts"
import type { PdfiumDrawing } from "./PdfiumDrawing.ts"
import { provideFonts, type WithFonts } from "./systemFonts.ts"

/** The functions of PDFium (fpdfview.h, fpdf_text.h and others) that are used here; pointers are numbers. */
interface PdfiumFunctions extends PdfiumDrawing {
  readonly malloc: (bytes: number) => number
  readonly free: (pointer: number) => void
  readonly FPDF_LoadMemDocument: (bytes: number, length: number, password: number) => number
  readonly FPDF_GetLastError: () => number
  readonly FPDF_GetMetaText: (document: number, name: number, buffer: number, bytes: number) => number
  readonly FPDF_GetPageCount: (document: number) => number
  readonly FPDF_LoadPage: (document: number, index: number) => number
  readonly FPDF_GetPageBoundingBox: (page: number, rectangle: number) => number
  readonly FPDF_ClosePage: (page: number) => void
  readonly FPDF_StructTree_GetForPage: (page: number) => number
  readonly FPDF_StructTree_Close: (tree: number) => void
  readonly FPDF_StructTree_CountChildren: (tree: number) => number
  readonly FPDF_StructTree_GetChildAtIndex: (tree: number, index: number) => number
  readonly FPDF_StructElement_GetType: (element: number, buffer: number, bytes: number) => number
  readonly FPDF_StructElement_GetAltText: (element: number, buffer: number, bytes: number) => number
  readonly FPDF_StructElement_CountChildren: (element: number) => number
  readonly FPDF_StructElement_GetChildAtIndex: (element: number, index: number) => number
  readonly FPDF_StructElement_GetChildMarkedContentID: (element: number, index: number) => number
  readonly FPDF_StructElement_GetAttributeCount: (element: number) => number
  readonly FPDF_StructElement_GetAttributeAtIndex: (element: number, index: number) => number
  readonly FPDF_StructElement_Attr_GetValue: (attribute: number, name: number) => number
  readonly FPDF_StructElement_Attr_GetNumberValue: (value: number, number: number) => number
  readonly FPDFBookmark_GetFirstChild: (document: number, bookmark: number) => number
  readonly FPDFBookmark_GetNextSibling: (document: number, bookmark: number) => number
  readonly FPDFBookmark_GetTitle: (bookmark: number, buffer: number, bytes: number) => number
  readonly FPDFBookmark_GetDest: (document: number, bookmark: number) => number
  readonly FPDFBookmark_GetAction: (bookmark: number) => number
  readonly FPDFAction_GetDest: (document: number, action: number) => number
  readonly FPDFDest_GetDestPageIndex: (document: number, destination: number) => number
  readonly FPDFDoc_GetAttachmentCount: (document: number) => number
  readonly FPDFDoc_GetJavaScriptActionCount: (document: number) => number
  /** How many quarters of a turn, clockwise, the page is shown turned by. */
  readonly FPDFPage_GetRotation: (page: number) => number
  readonly FPDFPage_GetAnnotCount: (page: number) => number
  readonly FPDFPage_GetAnnot: (page: number, index: number) => number
  readonly FPDFPage_CloseAnnot: (annotation: number) => void
  readonly FPDFAnnot_GetSubtype: (annotation: number) => number
  readonly FPDFAnnot_GetFlags: (annotation: number) => number
  readonly FPDFAnnot_GetNumberValue: (annotation: number, key: number, value: number) => number
  readonly FPDFAnnot_GetRect: (annotation: number, rectangle: number) => number
  readonly FPDFAnnot_GetStringValue: (
    annotation: number,
    key: number,
    buffer: number,
    bytes: number,
  ) => number
  readonly FPDFLink_Enumerate: (page: number, place: number, link: number) => number
  readonly FPDFLink_GetAction: (link: number) => number
  readonly FPDFLink_GetAnnotRect: (link: number, rectangle: number) => number
  readonly FPDFLink_CountQuadPoints: (link: number) => number
  readonly FPDFLink_GetQuadPoints: (link: number, index: number, points: number) => number
  readonly FPDFAction_GetType: (action: number) => number
  readonly FPDFAction_GetURIPath: (document: number, action: number, buffer: number, bytes: number) => number
  readonly FPDFPage_CountObjects: (page: number) => number
  readonly FPDFPage_GetObject: (page: number, index: number) => number
  readonly FPDFPageObj_GetType: (object: number) => number
  readonly FPDFPageObj_Transform: (
    object: number,
    a: number,
    b: number,
    c: number,
    d: number,
    e: number,
    f: number,
  ) => void
  readonly FPDFPageObj_SetStrokeWidth: (object: number, width: number) => number
  readonly FPDFPageObj_GetMatrix: (object: number, matrix: number) => number
  readonly FPDFPageObj_GetBounds: (
    object: number,
    left: number,
    bottom: number,
    right: number,
    top: number,
  ) => number
  readonly FPDFPageObj_GetClipPath: (object: number) => number
  readonly FPDFClipPath_CountPaths: (clip: number) => number
  readonly FPDFClipPath_CountPathSegments: (clip: number, path: number) => number
  readonly FPDFClipPath_GetPathSegment: (clip: number, path: number, index: number) => number
  readonly FPDFPageObj_GetMarkedContentID: (object: number) => number
  readonly FPDFPageObj_CountMarks: (object: number) => number
  readonly FPDFPageObj_GetMark: (object: number, index: number) => number
  readonly FPDFPageObjMark_GetName: (mark: number, buffer: number, bytes: number, length: number) => number
  readonly FPDFPageObjMark_GetParamBlobValue: (
    mark: number,
    key: number,
    buffer: number,
    bytes: number,
    length: number,
  ) => number
  readonly FPDFPageObj_GetFillColor: (object: number, r: number, g: number, b: number, a: number) => number
  readonly FPDFPageObj_GetStrokeColor: (object: number, r: number, g: number, b: number, a: number) => number
  readonly FPDFPageObj_GetStrokeWidth: (object: number, width: number) => number
  readonly FPDFFormObj_CountObjects: (object: number) => number
  readonly FPDFFormObj_GetObject: (object: number, index: number) => number
  readonly FPDFPath_CountSegments: (path: number) => number
  readonly FPDFPath_GetPathSegment: (path: number, index: number) => number
  readonly FPDFPath_GetDrawMode: (path: number, fill: number, stroke: number) => number
  readonly FPDFPathSegment_GetPoint: (segment: number, x: number, y: number) => number
  readonly FPDFPathSegment_GetType: (segment: number) => number
  readonly FPDFPathSegment_GetClose: (segment: number) => number
  readonly FPDFPage_Flatten: (page: number, usage: number) => number
  readonly FPDFText_LoadPage: (page: number) => number
  readonly FPDFText_ClosePage: (textPage: number) => void
  readonly FPDFText_CountChars: (textPage: number) => number
  readonly FPDFText_GetUnicode: (textPage: number, index: number) => number
  readonly FPDFText_IsHyphen: (textPage: number, index: number) => number
  readonly FPDFText_IsGenerated: (textPage: number, index: number) => number
  readonly FPDFText_GetTextObject: (textPage: number, index: number) => number
  readonly FPDFTextObj_GetFont: (object: number) => number
  readonly FPDFTextObj_GetTextRenderMode: (object: number) => number
  readonly FPDFTextObj_SetTextRenderMode: (object: number, mode: number) => number
  readonly FPDFFont_GetBaseFontName: (font: number, buffer: number, bytes: number) => number
  readonly FPDFText_GetFontWeight: (textPage: number, index: number) => number
  readonly FPDFText_GetFontSize: (textPage: number, index: number) => number
  readonly FPDFText_GetFontInfo: (
    textPage: number,
    index: number,
    buffer: number,
    bytes: number,
    flags: number,
  ) => number
  readonly FPDFText_GetMatrix: (textPage: number, index: number, matrix: number) => number
  readonly FPDFText_GetCharOrigin: (textPage: number, index: number, x: number, y: number) => number
  readonly FPDFText_GetCharBox: (
    textPage: number,
    index: number,
    left: number,
    right: number,
    bottom: number,
    top: number,
  ) => number
  readonly FPDFText_GetLooseCharBox: (textPage: number, index: number, box: number) => number
}

interface Memory {
  readonly buffer: ArrayBuffer
}

interface PdfiumExports extends PdfiumFunctions, WithFonts {
  readonly memory: Memory
  readonly FPDF_InitLibrary: () => void
}

type Imports = Record<string, Record<string, unknown>>

/** What is used here of WebAssembly, which Node has and the types of Node do not declare. */
interface WithWebAssembly {
  readonly WebAssembly: {
    readonly Module: new (bytes: Uint8Array) => object
    readonly Instance: new <Exports>(module: object, imports: Imports) => { readonly exports: Exports }
    readonly RuntimeError: new () => Error
  }
}

const { WebAssembly } = globalThis as typeof globalThis & WithWebAssembly

let compiled: object | undefined

/** PDFium in memory of its own. Nothing but these bytes is within its reach: no file, no network, no clock. */
export interface Pdfium extends PdfiumFunctions {
  /** A view of its memory, which is another one after each call that may have made it grow. */
  readonly view: () => DataView<ArrayBuffer>
  /** Copies bytes into its memory; the answer is where they are. */
  readonly copy: (bytes: Uint8Array) => number
  /** True once it has asked for more memory than `pdf_memory_bytes_max`: then it stops working. */
  readonly isOutOfMemory: () => boolean
  /** Before text is read: from then on, characters of fonts that are missing have a place, and are not drawn. */
  readonly readFonts: () => void
}

/** A new PDFium: what one document does to it cannot reach another. */
export const startPdfium = async (): Promise<Pdfium> => {
  compiled ??= new WebAssembly.Module(
    readFileSync(fileURLToPath(import.meta.resolve("@hyzyla/pdfium/pdfium.wasm"))),
  )
  const module = compiled
  let refused = false
  let exports: PdfiumExports | undefined
  await PDFiumModule({
    // Its output is of interest only to its developers.
    ...{ print: ignore, printErr: ignore },
    instantiateWasm: (imports: Imports, received: (instance: object) => void) => {
      const instance = new WebAssembly.Instance<PdfiumExports>(
        module,
        withMemoryLimit(imports, () => {
          refused = true
        }),
      )
      exports = instance.exports
      received(instance)
      return instance.exports
    },
  })
  if (exports === undefined) throw new Error("PDFium was not instantiated")
  const found = exports
  let hasFonts = false
  const { memory, ...functions } = found
  exports.FPDF_InitLibrary()
  let view = new DataView(memory.buffer)
  const currentView = (): DataView<ArrayBuffer> => {
    if (view.buffer !== memory.buffer) view = new DataView(memory.buffer)
    return view
  }
  return {
    ...functions,
    view: currentView,
    copy: (bytes) => {
      const pointer = functions.malloc(Math.max(1, bytes.length))
      if (pointer !== 0) new Uint8Array(memory.buffer).set(bytes, pointer)
      return pointer
    },
    isOutOfMemory: () => refused,
    readFonts: () => {
      if (!hasFonts) provideFonts(found, instanceOf)
      hasFonts = true
    },
  }
}

const instanceOf = (bytes: Uint8Array, imports: Imports): Record<string, unknown> =>
  new WebAssembly.Instance<Record<string, unknown>>(new WebAssembly.Module(bytes), imports).exports

const ignore = (): void => {}

/**
 * Imports whose `emscripten_resize_heap` fails beyond the limit, as if out of memory. That the system refuses more
 * memory to the process counts as the same: the parsing process gives back what earlier documents took.
 */
export const withMemoryLimit = (imports: Imports, onRefusal: () => void): Imports => {
  const resize = imports["env"]?.["emscripten_resize_heap"]
  if (typeof resize !== "function") throw new Error("PDFium asks for memory in a way that is not known")
  const bounded = (bytes: number): unknown => {
    const given: unknown = bytes >>> 0 <= convertLimits.pdf_memory_bytes_max ? resize(bytes) : 0
    if (given === 0 || given === false) onRefusal()
    return given
  }
  return { ...imports, env: { ...imports["env"], emscripten_resize_heap: bounded } }
}

/** True for what PDFium throws when a document has broken it: it must not be asked again. */
export const isBroken = (thrown: unknown): boolean =>
  thrown instanceof WebAssembly.RuntimeError || thrown instanceof RangeError || !(thrown instanceof Error)
