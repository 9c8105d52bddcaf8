import { describe, expect, it } from "vitest"
import { converted, refusalOf } from "../documents.ts"

const namespaces = 'xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:mml="http://www.w3.org/1998/Math/MathML"'

const doctype =
  '<!DOCTYPE article PUBLIC "-//NLM//DTD JATS (Z39.96) Journal Publishing DTD v1.3 20210610//EN" "JATS-journalpublishing1-3.dtd">'

const front = `<front>
  <journal-meta><journal-id>jt</journal-id><journal-title-group><journal-title>Journal of Tides</journal-title></journal-title-group></journal-meta>
  <article-meta>
    <article-id pub-id-type="pmid">1</article-id><article-id pub-id-type="doi">10.1234/tides.7</article-id>
    <title-group><article-title>Tides of the <italic>outer</italic> islands<xref ref-type="fn">*</xref></article-title></title-group>
    <contrib-group>
      <contrib contrib-type="author"><contrib-id>0000</contrib-id><name><surname>Lind</surname><given-names>Ada B.</given-names></name><role>Data</role><xref ref-type="aff"><sup>1</sup></xref></contrib>
      <contrib contrib-type="author"><collab>Tide Group</collab></contrib>
      <contrib contrib-type="editor"><name><surname>Else</surname><given-names>Some</given-names></name></contrib>
    </contrib-group>
    <aff id="a1"><label>1</label><institution>Harbour School</institution><addr-line>Lund</addr-line><country>Sweden</country></aff>
    <pub-date><day>01</day><year>2027</year></pub-date><volume>9</volume><issue>2</issue><fpage>11</fpage><lpage>19</lpage>
    <history><date><year>2026</year></date></history>
    <permissions><copyright-year>2027</copyright-year><license><license-p>Free to share.</license-p></license></permissions>
    <abstract><p>Short and clear.</p></abstract>
    <kwd-group><title>Keywords</title><kwd>tide</kwd><kwd>moon</kwd></kwd-group>
  </article-meta></front>`

const jats = async (body: string, back = "") =>
  converted(
    `${doctype}<article ${namespaces}>${front}<body>${body}</body><back>${back}</back></article>`,
    "a.xml",
  )

/** What stands behind the front. */
const bodyOf = async (body: string, back = ""): Promise<string> =>
  (await jats(body, back)).markdown.split("Free to share.\n\n")[1] ?? ""

describe("XML: an article in JATS is read as it is printed", () => {
  it("has its title, its authors, where it appeared and its abstract first", async () => {
    const { markdown, codes } = await jats("<sec><title>One</title><p>Text.</p></sec>")
    expect(markdown).toBe(
      [
        "# Tides of the outer islands",
        "Ada B. Lind, Tide Group",
        "Harbour School, Lund, Sweden",
        "Journal of Tides 9(2):11–19 (2027). DOI: 10.1234/tides.7",
        "## Abstract",
        "Short and clear.",
        "**Keywords:** tide, moon",
        "Free to share.",
        "## One",
        "Text.\n",
      ].join("\n\n"),
    )
    expect(codes).toEqual([])
  })

  it("has sections inside of sections, with their numbers", async () => {
    const body =
      "<sec><label>2.</label><title>Methods</title><p>a</p><sec><label>2.1.</label><title>Gauges</title><p>b</p></sec></sec><sec><p>c</p></sec>"
    expect(await bodyOf(body)).toBe("## 2. Methods\n\na\n\n### 2.1. Gauges\n\nb\n\nc\n")
  })

  it("has lists, with numbers or without, also inside of each other", async () => {
    const body =
      '<sec><title>S</title><list list-type="order"><list-item><label>1.</label><p>first</p><list list-type="bullet"><list-item><p>inner</p></list-item></list></list-item><list-item><p>second</p></list-item></list></sec>'
    expect(await bodyOf(body)).toBe("## S\n\n1. first\n   - inner\n2. second\n")
  })

  it("has tables with their label and caption before and their notes behind, and figures", async () => {
    const body = `<sec><title>S</title><table-wrap><object-id>x</object-id><label>Table 1</label><caption><title>Heights.</title><p>By month.</p></caption>
      <alternatives><graphic xlink:href="t1"/><table><thead><tr><th rowspan="2">Month</th><th colspan="2">Metres</th></tr><tr><th>low</th><th>high</th></tr></thead><tbody><tr><td>May</td><td>1<sup>b</sup></td><td>3</td></tr></tbody></table></alternatives>
      <table-wrap-foot><fn><label>b</label><p>Estimated.</p></fn></table-wrap-foot></table-wrap>
      <fig><label>Fig 1</label><caption><title>The harbour.</title></caption><graphic xlink:href="f1"><alt-text>A quay</alt-text></graphic></fig></sec>`
    const { markdown, codes } = await jats(body)
    expect(markdown.split("## S\n\n")[1]).toBe(
      [
        "**Table 1** Heights.",
        "By month.",
        "| Month | Metres | Metres |\n| --- | --- | --- |\n| Month | low | high |\n| May | 1<sup>b</sup> | 3 |",
        "b Estimated.",
        "**Fig 1** The harbour.",
        "A quay\n",
      ].join("\n\n"),
    )
    expect(codes).toEqual(["images_not_interpreted"])
  })

  it("has tables of the CALS model, with cells that reach over columns and rows", async () => {
    const body = `<table-wrap><oasis:table xmlns:oasis="http://docs.oasis-open.org/ns/oasis-exchange/table"><oasis:tgroup cols="3"><oasis:colspec colname="c1"/><oasis:colspec colname="c2"/><oasis:colspec colname="c3"/>
      <oasis:thead><oasis:row><oasis:entry morerows="1">Month</oasis:entry><oasis:entry namest="c2" nameend="c3">Metres</oasis:entry></oasis:row><oasis:row><oasis:entry>low</oasis:entry><oasis:entry>high</oasis:entry></oasis:row></oasis:thead>
      <oasis:tbody><oasis:row><oasis:entry>May</oasis:entry><oasis:entry colname="c3">3</oasis:entry></oasis:row></oasis:tbody></oasis:tgroup></oasis:table></table-wrap>`
    expect(await bodyOf(body)).toBe(
      "| Month | Metres | Metres |\n| --- | --- | --- |\n| Month | low | high |\n| May |  | 3 |\n",
    )
  })

  it("has formulas as LaTeX, from one of the forms in which they are given", async () => {
    const body = String.raw`<sec><title>S</title><p>With <inline-formula><alternatives><tex-math>\begin{document}$a^2$\end{document}</tex-math><mml:math><mml:mi>a</mml:mi></mml:math></alternatives></inline-formula> in
      <disp-formula><label>(1)</label><mml:math><mml:mfrac><mml:mi>x</mml:mi><mml:mn>2</mml:mn></mml:mfrac></mml:math></disp-formula> as shown.</p></sec>`
    expect(await bodyOf(body)).toBe("## S\n\nWith $a^2$ in\n\n$\\frac{x}{2}$ (1)\n\nas shown.\n")
  })

  it("has references as a list, whether they are written out or in parts, and notes at the end", async () => {
    const back = `<ack><p>Thanks.</p></ack><ref-list>
      <ref id="r1"><label>1</label><mixed-citation><name><surname>Rao</surname><given-names>RU</given-names></name>, <etal>et al</etal>. <article-title>Tides</article-title>. <year>2017</year>;<volume>11</volume>. <pub-id pub-id-type="doi">10.1/x</pub-id></mixed-citation></ref>
      <ref id="r2"><label>2</label><element-citation><person-group person-group-type="author"><name><surname>Wolf</surname><given-names>G</given-names></name><name><surname>Yang</surname><given-names>P</given-names></name></person-group><year>2015</year><article-title>Moons</article-title><source>Sea</source><volume>29</volume><fpage>538</fpage><lpage>554</lpage><pub-id pub-id-type="doi">10.1/y</pub-id></element-citation></ref>
    </ref-list>`
    const body = "<sec><title>S</title><p>As said<fn><label>*</label><p>A note.</p></fn> there.</p></sec>"
    expect(await bodyOf(body, back)).toBe(
      [
        "## S",
        "As said[^1] there.",
        "## Acknowledgments",
        "Thanks.",
        "## References",
        "1. Rao RU, et al. Tides. 2017;11. 10.1/x\n2. Wolf G, Yang P. Moons. Sea 29:538–554 (2015). DOI: 10.1/y",
        "[^1]: A note.\n",
      ].join("\n\n"),
    )
  })

  it("is still within the bounds: entities are refused, and a table of nothing but spans as well", async () => {
    const entity = '<!DOCTYPE article [<!ENTITY b "c">]><article><front/></article>'
    expect(await refusalOf(entity, "a.xml")).toMatchObject({ code: "file_corrupt" })
    const row = `<tr>${'<td colspan="1000" rowspan="60000">x</td>'.repeat(100)}</tr>`
    const xml = `<article><body><table>${row.repeat(1_000)}</table></body></article>`
    expect(await refusalOf(xml, "a.xml")).toMatchObject({ code: "result_too_large" })
  })

  it("is an outline if the root only has the same name", async () => {
    const docBook = "<article><title>T</title><para>p</para></article>"
    expect((await converted(docBook, "a.xml")).markdown).toBe("# article\n\n- **title**: T\n- **para**: p\n")
  })
})

const patent = (text: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE us-patent-grant SYSTEM "us-patent-grant-v44-2013-05-16.dtd" [ ]>
<us-patent-grant lang="EN" country="US"><us-bibliographic-data-grant>
<publication-reference><document-id><country>US</country><doc-number>08672134</doc-number><kind>B2</kind><date>20140318</date></document-id></publication-reference>
<application-reference><document-id><country>US</country><doc-number>1</doc-number><date>20090401</date></document-id></application-reference>
<invention-title id="d2e43">Quay <i>lamp</i></invention-title>
<us-parties><inventors><inventor sequence="001"><addressbook><last-name>Lind</last-name><first-name>Ada</first-name><address><city>Lund</city></address></addressbook></inventor></inventors></us-parties>
<assignees><assignee><addressbook><orgname>Tides AB</orgname></addressbook></assignee></assignees>
</us-bibliographic-data-grant>${text}</us-patent-grant>`

describe("XML: a patent of the United States is read as it is printed", () => {
  const read = async (text: string): Promise<string> => (await converted(patent(text), "a.xml")).markdown

  it("has its title and what it is, abstract, description with headings, and claims as a list", async () => {
    const markdown = await read(
      `<abstract id="abstract"><p id="p-0001" num="0000">A lamp.</p></abstract><drawings><figure id="F1" num="00000"><img id="i" file="x.TIF"/></figure></drawings>
<description id="description"><?BRFSUM description="Brief Summary" end="lead"?><heading id="h-1" level="1">BACKGROUND</heading><heading id="h-2" level="2">Field</heading><p id="p-0002" num="0001">Lamps, see <figref idref="F1">FIG. <b>1</b></figref>, with H<sub>2</sub>O.</p><?BRFSUM description="Brief Summary" end="tail"?><?DETDESC description="Detailed Description" end="lead"?><p>More.<ul id="u1" list-style="none"><li id="l1">one</li></ul></p><?DETDESC description="Detailed Description" end="tail"?></description>
<us-claim-statement>What is claimed is:</us-claim-statement><claims id="claims"><claim id="c1" num="00001"><claim-text>1. A lamp, comprising: <claim-text>a light; and</claim-text> <claim-text>a shade.</claim-text></claim-text></claim><claim id="c2" num="00002"><claim-text><b>2</b>. The lamp of <claim-ref idref="c1">claim 1</claim-ref>.</claim-text></claim></claims>`,
    )
    expect(markdown).toBe(
      [
        "# Quay lamp",
        "**Publication:** US 08672134 B2, 2014-03-18",
        "**Inventors:** Ada Lind",
        "**Applicants and assignees:** Tides AB",
        "## ABSTRACT",
        "A lamp.",
        "## BACKGROUND",
        "### Field",
        "Lamps, see FIG. **1**, with H₂O.",
        "## Detailed Description",
        "More.",
        "- one",
        "What is claimed is:",
        "## CLAIMS",
        "1. A lamp, comprising:  \n   a light; and  \n   a shade.\n2. The lamp of claim 1.\n",
      ].join("\n\n"),
    )
  })

  it("has the same as an application of 2001 to 2004, whose elements had other names", async () => {
    const xml = `<!DOCTYPE patent-application-publication SYSTEM "pap-v15.dtd" [<!ENTITY a.TIF SYSTEM "a.TIF" NDATA TIF>]>
<patent-application-publication><subdoc-bibliographic-information><document-id><doc-number>20010031492</doc-number><kind-code>A1</kind-code><document-date>20011018</document-date></document-id>
<technical-information><uspc>435</uspc><title-of-invention>Quay <highlight><italic>lamp</italic></highlight></title-of-invention></technical-information>
<continuity-data><document-id><doc-number>1</doc-number></document-id></continuity-data>
<inventors><first-named-inventor><name><given-name>Ada</given-name><middle-name>B.</middle-name><family-name>Lind</family-name></name><residence>Lund</residence></first-named-inventor><inventor><name><given-name>Bo</given-name><family-name>Ek</family-name></name></inventor></inventors><assignee><organization-name>Tides AB</organization-name></assignee></subdoc-bibliographic-information>
<subdoc-abstract><paragraph id="A-0001" lvl="0">A lamp. </paragraph></subdoc-abstract>
<subdoc-description><summary-of-invention><section><heading lvl="1">BACKGROUND</heading><paragraph lvl="0"><number>&lsqb;0001&rsqb;</number> H<highlight><subscript>2</subscript></highlight>O at 10 &mgr;m, see <cross-reference target="D">FIG. 1</cross-reference>.<math-cwu id="M"><number>1</number><math><mi>a</mi><mo>&equals;</mo><mn>1</mn></math><image file="m.TIF"/></math-cwu></paragraph></section><section><heading lvl="2">Field</heading></section></summary-of-invention></subdoc-description>
<subdoc-claims><claim id="CLM-00001"><claim-text><highlight><bold>1</bold></highlight>. A lamp. </claim-text></claim><claim id="CLM-00002"><claim-text><highlight><bold>2</bold></highlight>. The lamp of <dependent-claim-reference depends_on="CLM-00001"><claim-text>claim 1</claim-text></dependent-claim-reference>.</claim-text></claim></subdoc-claims>
<subdoc-drawings id="D"><heading lvl="0">Drawings</heading><representative-figure>NONE</representative-figure><figure><image file="a.TIF"/></figure></subdoc-drawings></patent-application-publication>`
    const { markdown, codes } = await converted(xml, "a.xml")
    expect(markdown.split("\n\n")).toEqual([
      "# Quay lamp",
      "**Publication:** 20010031492 A1, 2001-10-18",
      "**Inventors:** Ada B. Lind, Bo Ek",
      "**Applicants and assignees:** Tides AB",
      "## ABSTRACT",
      "A lamp.",
      "## BACKGROUND",
      "H₂O at 10 μm, see FIG. 1.",
      "$a=1$",
      "### Field",
      "## CLAIMS",
      "1. A lamp.\n2. The lamp of claim 1.",
      "## Drawings\n",
    ])
    expect(codes).toEqual(["images_not_interpreted"])
  })

  it("has the same as a grant of 2002 to 2004, whose elements had the codes of WIPO ST.32", async () => {
    const text = (words: string) => `<PTEXT><PDAT>${words}</PDAT></PTEXT>`
    const xml = `<!DOCTYPE PATDOC SYSTEM "ST32-US-Grant-025xml.dtd" [<!ENTITY a.TIF SYSTEM "a.TIF" NDATA TIF>]>
<PATDOC DTD="2.5"><SDOBI><B100><B110><DNUM><PDAT>06442728</PDAT></DNUM></B110><B130><PDAT>B1</PDAT></B130><B140><DATE><PDAT>20020827</PDAT></DATE></B140><B190><PDAT>US</PDAT></B190></B100>
<B500><B510><B511><PDAT>H03M</PDAT></B511></B510><B540><STEXT><PDAT>Quay </PDAT><HIL><ITALIC><PDAT>lamp</PDAT></ITALIC></HIL></STEXT></B540><B560><PCIT><DOC><DNUM><PDAT>1</PDAT></DNUM></DOC><PARTY-US><NAM><SNM><STEXT><PDAT>Currie</PDAT></STEXT></SNM></NAM></PARTY-US></PCIT></B560></B500>
<B700><B720><B721><PARTY-US><NAM><FNM><PDAT>Ada</PDAT></FNM><SNM><STEXT><PDAT>Lind</PDAT></STEXT></SNM></NAM><ADR><CITY><PDAT>Lund</PDAT></CITY></ADR></PARTY-US></B721></B720><B730><B731><PARTY-US><NAM><ONM><STEXT><PDAT>Tides AB</PDAT></STEXT></ONM></NAM></PARTY-US></B731></B730></B700></SDOBI>
<SDOAB><BTEXT><PARA LVL="0">${text("A lamp.")}</PARA></BTEXT></SDOAB>
<SDODE><BTEXT><H LVL="1"><STEXT><PDAT>BACKGROUND</PDAT></STEXT></H><PARA LVL="0"><PTEXT><PDAT>H</PDAT><HIL><SB><PDAT>2</PDAT></SB></HIL><PDAT>O, </PDAT><FGREF><PDAT>FIG. 1</PDAT></FGREF><PDAT> &agr;.</PDAT></PTEXT></PARA><CWU><MATH-US><MATHEMATICA ALT="x" FILE="m.NB"/><MATHML><math><mi>a</mi></math></MATHML><EMI FILE="m.TIF"/></MATH-US></CWU></BTEXT></SDODE>
<SDOCL><H LVL="1"><STEXT><PDAT>What is claimed is:</PDAT></STEXT></H><CL><CLM ID="CLM-00001"><PARA>${text("1. A lamp, comprising:")}</PARA><CLMSTEP LVL="2">${text("a light.")}</CLMSTEP></CLM><CLM ID="CLM-00002"><PARA><PTEXT><PDAT>2. The lamp of </PDAT><CLREF ID="CLM-00001"><PDAT>claim 1</PDAT></CLREF><PDAT>.</PDAT></PTEXT></PARA></CLM></CL></SDOCL></PATDOC>`
    const { markdown, codes } = await converted(xml, "a.xml")
    expect(markdown.split("\n\n")).toEqual([
      "# Quay lamp",
      "**Publication:** US 06442728 B1, 2002-08-27",
      "**Inventors:** Ada Lind",
      "**Applicants and assignees:** Tides AB",
      "## ABSTRACT",
      "A lamp.",
      "## BACKGROUND",
      "H₂O, FIG. 1 α.",
      "$a$",
      "What is claimed is:",
      "## CLAIMS",
      "1. A lamp, comprising:  \n   a light.\n2. The lamp of claim 1.\n",
    ])
    expect(codes).toEqual([])
  })

  it("has tables whose groups of rows have columns of their own, laid over each other by their widths", async () => {
    const entries = (...texts: ReadonlyArray<string>) =>
      texts.map((text) => `<entry>${text}</entry>`).join("")
    const group = (widths: ReadonlyArray<number>, rows: string) =>
      `<tgroup cols="${widths.length}">${widths.map((width, index) => `<colspec colname="${index}" colwidth="${width}pt"/>`).join("")}<tbody>${rows}</tbody></tgroup>`
    const table = `<tables id="T1"><table>${group([40, 140], `<row>${entries("", "Light")}</row>`)}${group(
      [40, 70, 70],
      `<row>${entries("Lamp", "red", "blue")}</row><row><entry namest="0" nameend="2" rowsep="1"/></row><row>${entries("A", "1", "2")}</row>`,
    )}</table></tables>`
    expect((await read(`<description><p>${table}</p></description>`)).split("Tides AB\n\n")[1]).toBe(
      "|  | Light | Light |\n| --- | --- | --- |\n| Lamp | red | blue |\n| A | 1 | 2 |\n",
    )
  })
})
