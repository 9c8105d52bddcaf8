/** What the tool takes: each extension, lower case with its dot, and the content type of such files. */
export const contentTypes = {
  ".pdf": "application/pdf",
  ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  ".xls": "application/vnd.ms-excel",
  ".csv": "text/csv",
  ".html": "text/html",
  ".htm": "text/html",
  ".xml": "application/xml",
  ".odt": "application/vnd.oasis.opendocument.text",
  ".ods": "application/vnd.oasis.opendocument.spreadsheet",
} as const

export type Extension = keyof typeof contentTypes

const isExtension = (extension: string): extension is Extension => Object.hasOwn(contentTypes, extension)

export const extensions: ReadonlyArray<Extension> = Object.keys(contentTypes).filter(isExtension)

/** The extension of a file name, or undefined if the tool does not take such files. */
export const acceptedExtensionOf = (filename: string): Extension | undefined => {
  const extension = filename.slice(Math.max(0, filename.lastIndexOf("."))).toLowerCase()
  return isExtension(extension) ? extension : undefined
}
