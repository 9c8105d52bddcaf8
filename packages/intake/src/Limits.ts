const KiB = 1024
const MiB = 1024 * KiB

/** Every limit on what a document may hold, unit last, with the clause that it comes from. */
export interface IntakeLimits {
  /** document-tools 8: ZIP entries in Office and OpenDocument files. */
  readonly archive_entries_max: number
  /** document-tools 8: expanded archive content, of all entries together, also those that are never read. */
  readonly archive_expanded_bytes_max: number
  /** Name of one ZIP entry. */
  readonly archive_name_bytes_max: number
  /** Relationships of one part of an OOXML document. */
  readonly relationships_max: number
  /** Elements inside one another. */
  readonly xml_depth_max: number
  /** Qualified name of an element or attribute. */
  readonly xml_name_bytes_max: number
  /** Attributes of one element. */
  readonly xml_attributes_max: number
  /** Value of one attribute. */
  readonly xml_attribute_bytes_max: number
  /** Character data without markup between. */
  readonly xml_text_bytes_max: number
}

export const intakeLimits: IntakeLimits = {
  archive_entries_max: 10_000,
  archive_expanded_bytes_max: 20 * MiB,
  archive_name_bytes_max: KiB,
  relationships_max: 100_000,
  xml_depth_max: 256,
  xml_name_bytes_max: KiB,
  xml_attributes_max: 1_000,
  xml_attribute_bytes_max: MiB,
  xml_text_bytes_max: 10 * MiB,
}
