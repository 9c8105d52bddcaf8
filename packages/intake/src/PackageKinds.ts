/** The zipped document formats that are accepted, by what is inside of them. */
export type PackageFormat = "pptx" | "docx" | "xlsx" | "odt" | "ods"

/** What a package is. */
export interface PackageKind {
  /** For messages, with its article: "a Word document (DOCX)". */
  readonly name: string
  /** Undefined for what is not accepted. */
  readonly format?: PackageFormat
  readonly isMacro?: true
}

export const formatNames: Readonly<Record<PackageFormat, string>> = {
  pptx: "a PowerPoint presentation (PPTX)",
  docx: "a Word document (DOCX)",
  xlsx: "an Excel workbook (XLSX)",
  odt: "an OpenDocument text (ODT)",
  ods: "an OpenDocument spreadsheet (ODS)",
}

const accepted = (format: PackageFormat): PackageKind => ({ name: formatNames[format], format })
const other = (name: string): PackageKind => ({ name })
const macro = (name: string): PackageKind => ({ name, isMacro: true })

const openXml = "application/vnd.openxmlformats-officedocument"

/**
 * OOXML, by the content type of the main part in lower case. A template or a slide show without macros is
 * built as a document is, and is found under a document's extension.
 */
export const openXmlKinds: ReadonlyMap<string, PackageKind> = new Map([
  [`${openXml}.presentationml.presentation.main+xml`, accepted("pptx")],
  [`${openXml}.presentationml.slideshow.main+xml`, accepted("pptx")],
  [`${openXml}.presentationml.template.main+xml`, accepted("pptx")],
  [`${openXml}.wordprocessingml.document.main+xml`, accepted("docx")],
  [`${openXml}.wordprocessingml.template.main+xml`, accepted("docx")],
  [`${openXml}.spreadsheetml.sheet.main+xml`, accepted("xlsx")],
  [`${openXml}.spreadsheetml.template.main+xml`, accepted("xlsx")],
  [`${openXml}.thememanager+xml`, other("an Office theme (THMX)")],
  [
    "application/vnd.ms-powerpoint.presentation.macroenabled.main+xml",
    macro("a presentation with macros (PPTM)"),
  ],
  ["application/vnd.ms-powerpoint.slideshow.macroenabled.main+xml", macro("a slide show with macros (PPSM)")],
  [
    "application/vnd.ms-powerpoint.template.macroenabled.main+xml",
    macro("a presentation template with macros (POTM)"),
  ],
  ["application/vnd.ms-powerpoint.addin.macroenabled.main+xml", macro("a PowerPoint add-in (PPAM)")],
  ["application/vnd.ms-word.document.macroenabled.main+xml", macro("a Word document with macros (DOCM)")],
  [
    "application/vnd.ms-word.template.macroenabledtemplate.main+xml",
    macro("a Word template with macros (DOTM)"),
  ],
  ["application/vnd.ms-excel.sheet.macroenabled.main+xml", macro("a workbook with macros (XLSM)")],
  [
    "application/vnd.ms-excel.template.macroenabled.main+xml",
    macro("a workbook template with macros (XLTM)"),
  ],
  ["application/vnd.ms-excel.addin.macroenabled.main+xml", macro("an Excel add-in (XLAM)")],
  ["application/vnd.ms-excel.sheet.binary.macroenabled.main", other("a binary Excel workbook (XLSB)")],
  ["application/vnd.ms-visio.drawing.main+xml", other("a Visio drawing (VSDX)")],
  ["application/vnd.ms-visio.stencil.main+xml", other("a Visio stencil (VSSX)")],
  ["application/vnd.ms-visio.template.main+xml", other("a Visio template (VSTX)")],
  ["application/vnd.ms-visio.drawing.macroenabled.main+xml", macro("a Visio drawing with macros (VSDM)")],
  ["application/vnd.ms-package.xps-fixeddocumentsequence+xml", other("an XPS document")],
  ["application/vnd.ms-package.3dmanufacturing-3dmodel+xml", other("a 3D model (3MF)")],
])

const openDocument = "application/vnd.oasis.opendocument"

/** Archives that hold their media type in the entry `mimetype`. */
export const mimetypeKinds: ReadonlyMap<string, PackageKind> = new Map([
  [`${openDocument}.text`, accepted("odt")],
  [`${openDocument}.spreadsheet`, accepted("ods")],
  [`${openDocument}.text-template`, other("an OpenDocument text template (OTT)")],
  [`${openDocument}.text-master`, other("an OpenDocument master document (ODM)")],
  [`${openDocument}.text-web`, other("an OpenDocument web template (OTH)")],
  [`${openDocument}.spreadsheet-template`, other("an OpenDocument spreadsheet template (OTS)")],
  [`${openDocument}.presentation`, other("an OpenDocument presentation (ODP)")],
  [`${openDocument}.presentation-template`, other("an OpenDocument presentation template (OTP)")],
  [`${openDocument}.graphics`, other("an OpenDocument drawing (ODG)")],
  [`${openDocument}.chart`, other("an OpenDocument chart (ODC)")],
  [`${openDocument}.formula`, other("an OpenDocument formula (ODF)")],
  [`${openDocument}.image`, other("an OpenDocument image (ODI)")],
  [`${openDocument}.base`, other("an OpenDocument database (ODB)")],
  ["application/epub+zip", other("an EPUB book")],
])

/** Other archives that are known by an entry; the first that is there tells. */
export const entryKinds: ReadonlyArray<readonly [entry: string, name: string]> = [
  ["AndroidManifest.xml", "an Android application (APK)"],
  ["META-INF/MANIFEST.MF", "a Java archive (JAR)"],
  ["FixedDocumentSequence.fdseq", "an XPS document"],
  ["Index/Document.iwa", "an Apple iWork document"],
  ["Index.zip", "an Apple iWork document"],
  ["doc.kml", "a KMZ map"],
  ["META-INF/container.xml", "an EPUB book"],
]
