/** Pieces of equations as LaTeX, whatever they come from. */

/** Pieces one after the other; a command ends where a letter follows it. */
export const joined = (pieces: ReadonlyArray<string>): string => {
  const latex: Array<string> = []
  let last = ""
  for (const piece of pieces) {
    if (piece === "") continue
    if (endsInCommand.test(last) && /^[A-Za-z]/.test(piece)) latex.push(" ")
    latex.push(piece)
    last = piece
  }
  return latex.join("")
}

const endsInCommand = /\\[A-Za-z]+$/

export const marked = (mark: string, latex: string): string => (latex === "" ? "" : `${mark}{${latex}}`)

/** A base of several signs is kept together before its power. */
export const grouped = (latex: string): string => (/^(?:.|\\[A-Za-z]+)$/u.test(latex) ? latex : `{${latex}}`)

const delimiters: Readonly<Record<string, string>> = {
  "": ".",
  "{": "\\{",
  "}": "\\}",
  "|": "|",
  "‖": "\\|",
  "⌊": "\\lfloor ",
  "⌋": "\\rfloor ",
  "⌈": "\\lceil ",
  "⌉": "\\rceil ",
  "〈": "\\langle ",
  "〉": "\\rangle ",
  "⟨": "\\langle ",
  "⟩": "\\rangle ",
}

export const delimiter = (sign: string): string =>
  delimiters[sign] ?? ([...sign].length === 1 ? escaped(sign) : ".")

export const operators: Readonly<Record<string, string>> = {
  "∑": "\\sum",
  "∏": "\\prod",
  "∐": "\\coprod",
  "∫": "\\int",
  "∬": "\\iint",
  "∭": "\\iiint",
  "∮": "\\oint",
  "⋃": "\\bigcup",
  "⋂": "\\bigcap",
}

export const accents: Readonly<Record<string, string>> = {
  "\u0302": "hat",
  "\u0303": "tilde",
  "\u0304": "bar",
  "\u0305": "overline",
  "\u0307": "dot",
  "\u0308": "ddot",
  "\u20d7": "vec",
}

export const knownFunction =
  /^(?:sin|cos|tan|cot|sec|csc|arcsin|arccos|arctan|sinh|cosh|tanh|log|ln|exp|lim|max|min|det|gcd|sup|inf)(?=$|[_^])/

export const escaped = (text: string): string => {
  const upright = text
    .replace(invisibleOperators, "")
    .replace(italicLetters, (letter) => letter.normalize("NFKC"))
  const plain = upright.replace(/[\\{}$%#&_^~]/g, (sign) => escapes[sign] ?? `\\${sign}`)
  return special.test(plain) ? joined(plain.split(specials).map((piece) => symbols[piece] ?? piece)) : plain
}

/** Between a function and what it is of, between factors, and between what is listed or added. */
const invisibleOperators = /[\u2061-\u2064]/g

/** Letters are italic in an equation anyhow. */
const italicLetters = /[\u{1d434}-\u{1d467}\u{1d6e2}-\u{1d71b}\u210e]/gu

const escapes: Readonly<Record<string, string>> = { "\\": "\\backslash ", "^": "\\hat{}", "~": "\\sim " }

/** An equation within a line of Markdown, on one line as all of inline Markdown; empty for none. */
export const inlineEquation = (latex: string): string => {
  const line = latex.replace(/\s+/g, " ").trim()
  return line === "" ? "" : `$${line}$`
}

/** The two lines of a binomial, whose brackets stand around this; undefined for anything else. */
export const linesOfBinomial = (latex: string): readonly [above: string, below: string] | undefined => {
  const [, above, below] = latex.endsWith("}") ? (/^\{(.*) \\atop (.*)\}$/.exec(latex) ?? []) : []
  return above === undefined || below === undefined ? undefined : [above, below]
}

/** Signs for which LaTeX has a command. */
const symbols: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ["α", "\\alpha"],
    ["β", "\\beta"],
    ["γ", "\\gamma"],
    ["δ", "\\delta"],
    ["ε", "\\varepsilon"],
    ["ζ", "\\zeta"],
    ["η", "\\eta"],
    ["θ", "\\theta"],
    ["ι", "\\iota"],
    ["κ", "\\kappa"],
    ["λ", "\\lambda"],
    ["μ", "\\mu"],
    ["ν", "\\nu"],
    ["ξ", "\\xi"],
    ["π", "\\pi"],
    ["ρ", "\\rho"],
    ["ς", "\\varsigma"],
    ["σ", "\\sigma"],
    ["τ", "\\tau"],
    ["υ", "\\upsilon"],
    ["φ", "\\varphi"],
    ["χ", "\\chi"],
    ["ψ", "\\psi"],
    ["ω", "\\omega"],
    ["ϵ", "\\epsilon"],
    ["ϕ", "\\phi"],
    ["ϑ", "\\vartheta"],
    ["Γ", "\\Gamma"],
    ["Δ", "\\Delta"],
    ["Θ", "\\Theta"],
    ["Λ", "\\Lambda"],
    ["Ξ", "\\Xi"],
    ["Π", "\\Pi"],
    ["Σ", "\\Sigma"],
    ["Φ", "\\Phi"],
    ["Ψ", "\\Psi"],
    ["Ω", "\\Omega"],
    ["±", "\\pm"],
    ["∓", "\\mp"],
    ["×", "\\times"],
    ["÷", "\\div"],
    ["⋅", "\\cdot"],
    ["·", "\\cdot"],
    ["≤", "\\leq"],
    ["≥", "\\geq"],
    ["≠", "\\neq"],
    ["≈", "\\approx"],
    ["≡", "\\equiv"],
    ["∼", "\\sim"],
    ["∝", "\\propto"],
    ["∞", "\\infty"],
    ["∂", "\\partial"],
    ["∇", "\\nabla"],
    ["→", "\\to"],
    ["←", "\\leftarrow"],
    ["⇒", "\\Rightarrow"],
    ["⇔", "\\Leftrightarrow"],
    ["↔", "\\leftrightarrow"],
    ["∈", "\\in"],
    ["∉", "\\notin"],
    ["⊂", "\\subset"],
    ["⊆", "\\subseteq"],
    ["∪", "\\cup"],
    ["∩", "\\cap"],
    ["∅", "\\emptyset"],
    ["∀", "\\forall"],
    ["∃", "\\exists"],
    ["∧", "\\wedge"],
    ["∨", "\\vee"],
    ["¬", "\\neg"],
    ["…", "\\ldots"],
    ["⋯", "\\cdots"],
    ["ℏ", "\\hbar"],
    ["ℓ", "\\ell"],
    ["′", "\\prime"],
    ["∘", "\\circ"],
    ["∙", "\\bullet"],
    ["⊥", "\\perp"],
    ["∥", "\\parallel"],
    ["∠", "\\angle"],
    ["≪", "\\ll"],
    ["≫", "\\gg"],
    ["≅", "\\cong"],
    ["⊕", "\\oplus"],
    ["⊗", "\\otimes"],
    ["∴", "\\therefore"],
    ["↦", "\\mapsto"],
    ["⟶", "\\longrightarrow"],
    ["⟹", "\\Longrightarrow"],
    ["\u2212", "-"],
  ].map(([sign = "", latex = ""]) => [sign, latex]),
)

const special = new RegExp(`[${Object.keys(symbols).join("")}]`)
const specials = new RegExp(`(${special.source})`)
