import JSZip from "jszip"

/** A presentation of one slide: a title, a line and a picture. */
export const presentation = async (title: string, line: string): Promise<Buffer<ArrayBuffer>> => {
  const schemas = "http://schemas.openxmlformats.org"
  const types = "application/vnd.openxmlformats-officedocument.presentationml"
  const names = `xmlns:p="${schemas}/presentationml/2006/main" xmlns:a="${schemas}/drawingml/2006/main" xmlns:r="${schemas}/officeDocument/2006/relationships"`
  const relationship = (type: string, target: string) =>
    `<Relationships xmlns="${schemas}/package/2006/relationships"><Relationship Id="rId1" Type="${schemas}/officeDocument/2006/relationships/${type}" Target="${target}"/></Relationships>`
  const shape = (kind: string, text: string) =>
    `<p:sp><p:nvSpPr><p:cNvPr id="2" name=""/><p:cNvSpPr/><p:nvPr>${kind}</p:nvPr></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`
  const picture =
    '<p:pic><p:nvPicPr><p:cNvPr id="3" name=""/><p:cNvPicPr/><p:nvPr/></p:nvPicPr><p:blipFill><a:blip/></p:blipFill><p:spPr/></p:pic>'
  const zip = new JSZip()
  zip.file(
    "[Content_Types].xml",
    `<Types xmlns="${schemas}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/ppt/presentation.xml" ContentType="${types}.presentation.main+xml"/><Override PartName="/ppt/slides/slide1.xml" ContentType="${types}.slide+xml"/></Types>`,
  )
  zip.file("_rels/.rels", relationship("officeDocument", "ppt/presentation.xml"))
  zip.file("ppt/_rels/presentation.xml.rels", relationship("slide", "slides/slide1.xml"))
  zip.file(
    "ppt/presentation.xml",
    `<p:presentation ${names}><p:sldIdLst><p:sldId id="256" r:id="rId1"/></p:sldIdLst></p:presentation>`,
  )
  zip.file(
    "ppt/slides/slide1.xml",
    `<p:sld ${names}><p:cSld><p:spTree><p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>${shape('<p:ph type="title"/>', title)}${shape("", line)}${picture}</p:spTree></p:cSld></p:sld>`,
  )
  return Buffer.from(await zip.generateAsync({ type: "arraybuffer" }))
}
