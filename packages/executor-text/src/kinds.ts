/** What the tool knows about files with one extension. */
export interface TextKind {
  readonly contentType: string
  /** Language of the Markdown fence; undefined where the text is Markdown or plain text and kept as it is. */
  readonly language: string | undefined
}

const prose: ReadonlyArray<readonly [extensions: string, contentType: string]> = [
  [".txt .text", "text/plain"],
  [".md .markdown .mdown .mkd", "text/markdown"],
]

const fenced: ReadonlyArray<readonly [extensions: string, language: string, contentType?: string]> = [
  [".csv", "csv", "text/csv"],
  [".tsv .tab", "tsv", "text/tab-separated-values"],
  [".json .geojson .ipynb .webmanifest .har", "json", "application/json"],
  [".jsonl .ndjson", "jsonl", "application/jsonl"],
  [".json5 .jsonc", "json5"],
  [".yaml .yml", "yaml", "application/yaml"],
  [".xml .xsd .xsl .xslt .rss .atom .wsdl .plist .svg .kml .gpx", "xml", "application/xml"],
  [".html .htm .xhtml", "html", "text/html"],
  [".css", "css", "text/css"],
  [".scss", "scss"],
  [".sass", "sass"],
  [".less", "less"],
  [".js .mjs .cjs", "javascript", "text/javascript"],
  [".jsx", "jsx"],
  [".ts .mts .cts", "typescript"],
  [".tsx", "tsx"],
  [".vue", "vue"],
  [".svelte", "svelte"],
  [".astro", "astro"],
  [".py .pyi .pyw", "python"],
  [".rb .rake .gemspec", "ruby"],
  [".go", "go"],
  [".rs", "rust"],
  [".java", "java"],
  [".kt .kts", "kotlin"],
  [".scala .sc", "scala"],
  [".groovy .gradle", "groovy"],
  [".clj .cljs .edn", "clojure"],
  [".c .h", "c"],
  [".cpp .cc .cxx .hpp .hh .hxx", "cpp"],
  [".m", "objectivec"],
  [".cs .csx", "csharp"],
  [".fs .fsx", "fsharp"],
  [".vb", "vbnet"],
  [".swift", "swift"],
  [".dart", "dart"],
  [".zig", "zig"],
  [".nim", "nim"],
  [".php", "php"],
  [".pl .pm", "perl"],
  [".lua", "lua"],
  [".r", "r"],
  [".jl", "julia"],
  [".hs", "haskell"],
  [".ml .mli", "ocaml"],
  [".ex .exs", "elixir"],
  [".erl .hrl", "erlang"],
  [".elm", "elm"],
  [".lisp .el", "lisp"],
  [".scm", "scheme"],
  [".f90 .f95", "fortran"],
  [".pas", "pascal"],
  [".asm .s", "asm"],
  [".v .sv", "verilog"],
  [".vhd .vhdl", "vhdl"],
  [".sol", "solidity"],
  [".wat", "wasm"],
  [".sh .bash .zsh .ksh", "bash"],
  [".fish", "fish"],
  [".ps1 .psm1 .psd1", "powershell"],
  [".bat .cmd", "batch"],
  [".awk", "awk"],
  [".vim", "vim"],
  [".sql", "sql", "application/sql"],
  [".graphql .gql", "graphql"],
  [".proto", "protobuf"],
  [".thrift", "thrift"],
  [".tf .tfvars .hcl", "hcl"],
  [".nix", "nix"],
  [".toml", "toml", "application/toml"],
  [".ini .cfg .conf .editorconfig .gitconfig .npmrc", "ini"],
  [".env .properties", "properties"],
  [".cmake", "cmake"],
  [".mk .makefile", "makefile"],
  [".dockerfile .containerfile", "dockerfile"],
  [".gitignore .dockerignore .npmignore", "gitignore"],
  [".diff .patch", "diff", "text/x-diff"],
  [".tex .sty .cls", "latex"],
  [".bib", "bibtex"],
  [".rst", "rst"],
  [".adoc .asciidoc", "asciidoc"],
  [".org", "org"],
  [".srt .vtt", "text"],
  [".ics .vcf .eml", "text"],
  [".po .pot", "po"],
  [".log", "log"],
]

const entries = (extensions: string, kind: TextKind) =>
  extensions.split(" ").map((extension): [string, TextKind] => [extension, kind])

const kinds: ReadonlyMap<string, TextKind> = new Map([
  ...prose.flatMap(([extensions, contentType]) => entries(extensions, { contentType, language: undefined })),
  ...fenced.flatMap(([extensions, language, contentType = "text/plain"]) =>
    entries(extensions, { contentType, language }),
  ),
])

/** Accepted extensions with the dot, lower case. */
export const extensions: ReadonlyArray<string> = [...kinds.keys()]

/** The extension of a file name with its dot, in lower case; a name that begins with a dot may be one itself. */
export const lastSuffixOf = (filename: string): string => {
  const dot = filename.lastIndexOf(".")
  return dot < 0 ? "" : filename.slice(dot).toLowerCase()
}

/** What the tool knows about a file of this name, or undefined if it does not take it. */
export const kindOf = (filename: string): TextKind | undefined => kinds.get(lastSuffixOf(filename))
