const set = (names: string): ReadonlySet<string> => new Set(names.split(" "))

/** Elements without an end tag. */
export const voidElements = set(
  "area base basefont bgsound br col command embed frame hr img input keygen link meta param source track wbr",
)

/** What is in them is not shown, or not as text. */
export const unseenElements = set(
  "annotation annotation-xml audio canvas datalist iframe noembed noframes noscript object rp rt script " +
    "select style svg template textarea video",
)

/** They begin and end a line of their own. */
export const blockElements = set(
  "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption " +
    "figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol p pre " +
    "search section summary table tbody td tfoot th thead tr ul",
)

/** Elements whose contents SVG and MathML define, where a tag may close itself. */
export const foreignElements = set("svg math")

/** A table, its cells, and what else is one: an end tag inside ends nothing outside. */
export const scopeElements = set("table td th caption")

/** What a table consists of: an end tag of these reaches out of a cell all the same. */
export const tableElements = set("table caption colgroup thead tbody tfoot tr td th body html")

interface ImpliedEnd {
  /** Open elements that end. */
  readonly ends: ReadonlySet<string>
  /** They are looked for no further out than in one of these. */
  readonly within: ReadonlySet<string>
}

const paragraph: ImpliedEnd = { ends: set("p"), within: set("table td th caption button object li") }

/** What the start of an element ends, though no end tag says so. */
export const impliedEnds: ReadonlyMap<string, ImpliedEnd> = new Map([
  ...[...blockElements]
    .filter((name) => !/^(html|body|caption|dd|dt|li|tbody|td|tfoot|th|thead|tr)$/.test(name))
    .map((name) => [name, paragraph] as const),
  ["li", { ends: set("li"), within: set("ul ol menu dir table td th") }],
  ["dd", { ends: set("dd dt"), within: set("dl table td th") }],
  ["dt", { ends: set("dd dt"), within: set("dl table td th") }],
  ["td", { ends: set("td th"), within: set("tr table") }],
  ["th", { ends: set("td th"), within: set("tr table") }],
  ["tr", { ends: set("tr"), within: set("table") }],
  ["thead", { ends: set("caption thead tbody tfoot"), within: set("table") }],
  ["tbody", { ends: set("caption thead tbody tfoot"), within: set("table") }],
  ["tfoot", { ends: set("caption thead tbody tfoot"), within: set("table") }],
  ["body", { ends: set("head"), within: set("html") }],
  ["a", { ends: set("a"), within: set("table td th") }],
])
