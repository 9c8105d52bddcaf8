import JSZip from "jszip"

const drawing = "http://schemas.openxmlformats.org/drawingml/2006/main"
const relationship = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
const packaging = "http://schemas.openxmlformats.org/package/2006"
const contentType = "application/vnd.openxmlformats-officedocument.presentationml"

const declarations = `xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="${drawing}" xmlns:r="${relationship}"`

const numbersTo = (count: number): ReadonlyArray<number> =>
  Array.from({ length: count }, (_, index) => index + 1)

/** The slide part whose shape tree holds `tree`. */
export const slideOf = (tree: string): string =>
  `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<p:sld ${declarations}><p:cSld><p:spTree>` +
  `<p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>${tree}</p:spTree></p:cSld></p:sld>`

/** The presentation of these slide parts: the same parts make the same bytes. */
export const deckOf = async (slides: ReadonlyArray<string | Uint8Array>): Promise<Buffer> => {
  const numbers = numbersTo(slides.length)
  const each = (one: (number: number) => string) => numbers.map(one).join("")
  const files: Record<string, string | Uint8Array> = {
    "[Content_Types].xml": `<Types xmlns="${packaging}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/ppt/presentation.xml" ContentType="${contentType}.presentation.main+xml"/>${each((number) => `<Override PartName="/ppt/slides/slide${number}.xml" ContentType="${contentType}.slide+xml"/>`)}</Types>`,
    "_rels/.rels": `<Relationships xmlns="${packaging}/relationships"><Relationship Id="rId1" Type="${relationship}/officeDocument" Target="ppt/presentation.xml"/></Relationships>`,
    "ppt/presentation.xml": `<p:presentation ${declarations}><p:sldIdLst>${each((number) => `<p:sldId id="${255 + number}" r:id="rId${number}"/>`)}</p:sldIdLst></p:presentation>`,
    "ppt/_rels/presentation.xml.rels": `<Relationships xmlns="${packaging}/relationships">${each((number) => `<Relationship Id="rId${number}" Type="${relationship}/slide" Target="slides/slide${number}.xml"/>`)}</Relationships>`,
  }
  for (const [index, slide] of slides.entries()) files[`ppt/slides/slide${index + 1}.xml`] = slide
  const zip = new JSZip()
  const date = new Date(Date.UTC(2024, 0, 1))
  for (const [name, content] of Object.entries(files)) zip.file(name, content, { date, createFolders: false })
  return zip.generateAsync({ type: "nodebuffer", compression: "DEFLATE" })
}

/** Numbers that look like chance, the same on every run. */
const randomFrom = (seed: number): ((below: number) => number) => {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

type Random = ReturnType<typeof randomFrom>

const syllables = "ba con di fer gra hu in ka lo mer nu or pra sti tem ve".split(" ")

const word = (random: Random): string =>
  numbersTo(1 + random(3))
    .map(() => syllables[random(syllables.length)])
    .join("")

const words = (random: Random, count: number): string =>
  numbersTo(count)
    .map(() => word(random))
    .join(" ")

const amount = (random: Random): string => `${1 + random(999)},${100 + random(900)}.${10 + random(90)}`

const run = (text: string): string => `<a:r><a:rPr lang="en-US" sz="1200" dirty="0"/><a:t>${text}</a:t></a:r>`

const shape = (id: number, placeholder: string, paragraphs: ReadonlyArray<string>): string =>
  `<p:sp><p:nvSpPr><p:cNvPr id="${id}" name="Shape ${id}"/><p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr><p:nvPr><p:ph ${placeholder}/></p:nvPr></p:nvSpPr>` +
  `<p:spPr><a:xfrm><a:off x="457200" y="274638"/><a:ext cx="8229600" cy="1143000"/></a:xfrm></p:spPr>` +
  `<p:txBody><a:bodyPr><a:normAutofit/></a:bodyPr><a:lstStyle/>${paragraphs.join("")}</p:txBody></p:sp>`

const table = (id: number, random: Random, rows: number, columns: number): string => {
  const cell = (column: number) =>
    `<a:tc><a:txBody><a:bodyPr/><a:lstStyle/><a:p>${run(column === 1 ? words(random, 2) : amount(random))}<a:endParaRPr lang="en-US" sz="1200" dirty="0"/></a:p></a:txBody><a:tcPr marL="91441" marR="91441" anchor="ctr"/></a:tc>`
  const row = () => `<a:tr h="370840">${numbersTo(columns).map(cell).join("")}</a:tr>`
  return (
    `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="${id}" name="Table ${id}"/><p:cNvGraphicFramePr><a:graphicFrameLocks noGrp="1"/></p:cNvGraphicFramePr><p:nvPr/></p:nvGraphicFramePr>` +
    `<p:xfrm><a:off x="457200" y="1600200"/><a:ext cx="8229600" cy="4525963"/></p:xfrm><a:graphic><a:graphicData uri="${drawing.replace("main", "table")}">` +
    `<a:tbl><a:tblPr firstRow="1" bandRow="1"/><a:tblGrid>${'<a:gridCol w="822960"/>'.repeat(columns)}</a:tblGrid>${numbersTo(rows).map(row).join("")}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>`
  )
}

/**
 * Slides as plain as programs write them: a title, eight bullets and a table of 190 cells, about 49 KB of XML
 * each. They hold more text for each byte, and compress better, than any deck of the corpus.
 */
export const plainSlides = (count: number): ReadonlyArray<string> =>
  numbersTo(count).map((number) => {
    const random = randomFrom(number)
    const bullets = numbersTo(8).map(
      (bullet) =>
        `<a:p><a:pPr lvl="${bullet % 3}"/>${run(`${words(random, 6)} `)}${run(words(random, 5))}</a:p>`,
    )
    return slideOf(
      shape(2, 'type="title"', [`<a:p>${run(words(random, 4))}</a:p>`]) +
        shape(3, 'idx="1"', bullets) +
        table(4, random, 19, 10),
    )
  })

const hex = (random: Random, digits: number): string =>
  random(16 ** digits)
    .toString(16)
    .toUpperCase()
    .padStart(digits, "0")

const length = (random: Random): number => 10_000 + random(9_000_000)

const creation = (random: Random): string =>
  `<a:extLst><a:ext uri="{FF2B5EF4-FFF2-40B4-BE49-F238E27FC236}"><x:creationId xmlns:x="http://schemas.microsoft.com/office/drawing/2014/main" id="{${hex(random, 6)}${hex(random, 2)}-${hex(random, 4)}-${hex(random, 4)}-${hex(random, 4)}-${hex(random, 6)}${hex(random, 6)}}"/></a:ext></a:extLst>`

const styledRun = (random: Random, text: string): string =>
  `<a:r><a:rPr lang="en-US" sz="${(8 + random(20)) * 100}" b="${random(2)}" i="0" dirty="0"><a:solidFill><a:srgbClr val="${hex(random, 6)}"/></a:solidFill><a:latin typeface="Calibri" panose="020F0502020204030204" pitchFamily="34" charset="0"/><a:cs typeface="Calibri"/></a:rPr><a:t>${text}</a:t></a:r>`

const border = (random: Random, side: string): string =>
  `<a:ln${side} w="${(1 + random(4)) * 6350}" cap="flat" cmpd="sng" algn="ctr"><a:solidFill><a:srgbClr val="${hex(random, 6)}"/></a:solidFill><a:prstDash val="solid"/><a:round/></a:ln${side}>`

const styledShape = (
  random: Random,
  id: number,
  placeholder: string,
  paragraphs: ReadonlyArray<string>,
): string =>
  `<p:sp><p:nvSpPr><p:cNvPr id="${id}" name="Shape ${id}">${creation(random)}</p:cNvPr><p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr><p:nvPr>${placeholder}</p:nvPr></p:nvSpPr>` +
  `<p:spPr><a:xfrm><a:off x="${length(random)}" y="${length(random)}"/><a:ext cx="${length(random)}" cy="${length(random)}"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom><a:solidFill><a:srgbClr val="${hex(random, 6)}"/></a:solidFill></p:spPr>` +
  `<p:txBody><a:bodyPr lIns="${length(random)}" wrap="square"><a:spAutoFit/></a:bodyPr><a:lstStyle/>${paragraphs.join("")}</p:txBody></p:sp>`

const styledTable = (random: Random, id: number, rows: number, columns: number): string => {
  const cell = (column: number) =>
    `<a:tc><a:txBody><a:bodyPr/><a:lstStyle/><a:p><a:pPr algn="l" fontAlgn="b"/>${styledRun(random, column === 1 ? words(random, 2) : amount(random))}</a:p></a:txBody>` +
    `<a:tcPr marL="${length(random)}" marR="${length(random)}" anchor="ctr">${["L", "R", "T", "B"].map((side) => border(random, side)).join("")}</a:tcPr></a:tc>`
  const row = () => `<a:tr h="${length(random)}">${numbersTo(columns).map(cell).join("")}</a:tr>`
  return (
    `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="${id}" name="Table ${id}">${creation(random)}</p:cNvPr><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr><p:xfrm/>` +
    `<a:graphic><a:graphicData uri="${drawing.replace("main", "table")}"><a:tbl><a:tblPr/><a:tblGrid>${'<a:gridCol w="822960"/>'.repeat(columns)}</a:tblGrid>${numbersTo(rows).map(row).join("")}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>`
  )
}

/** Slides as PowerPoint writes them when people style them: a title, six text boxes and a table of 40 cells. */
export const styledSlides = (count: number): ReadonlyArray<string> =>
  numbersTo(count).map((number) => {
    const random = randomFrom(number)
    const paragraph = () => `<a:p><a:pPr lvl="0"/>${styledRun(random, words(random, 8))}</a:p>`
    return slideOf(
      styledShape(random, 2, '<p:ph type="title"/>', [paragraph()]) +
        numbersTo(6)
          .map((box) => styledShape(random, 2 + box, "", numbersTo(3).map(paragraph)))
          .join("") +
        styledTable(random, 9, 10, 4),
    )
  })
