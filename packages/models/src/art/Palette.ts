/** Colours that go together, by what they are for. */
export interface Palette {
  readonly name: string
  /** Ground of prints, and the type on it. */
  readonly paper: string
  readonly ink: string
  /** From the zenith to the horizon. */
  readonly sky: readonly [string, string, string]
  /** Sun, moon, lamps. */
  readonly light: string
  readonly far: string
  readonly near: string
  readonly accents: readonly [string, string, string, string, string]
}

const palette = (
  name: string,
  [paper, ink]: readonly [string, string],
  sky: Palette["sky"],
  [light, far, near]: readonly [string, string, string],
  accents: Palette["accents"],
): Palette => ({ name, paper, ink, sky, light, far, near, accents })

const paletteList: ReadonlyArray<Palette> = [
  palette(
    "dusk",
    ["#f7efe6", "#1b1733"],
    ["#232a63", "#8a4a86", "#f49a72"],
    ["#ffe0ab", "#9c5f8d", "#17112f"],
    ["#f08a6b", "#ffd08a", "#6b3f7a", "#3b4a8f", "#e4577b"],
  ),
  palette(
    "dawn",
    ["#fbf6ee", "#243250"],
    ["#6fa5d2", "#f1c4c0", "#ffe7c9"],
    ["#fff6df", "#b3b9d1", "#2b3c60"],
    ["#e98b7c", "#7fb2d9", "#f4c56a", "#2d3f63", "#b6c9a8"],
  ),
  palette(
    "forest",
    ["#f6f4e9", "#14301f"],
    ["#b7d3c4", "#e3ecd2", "#fbf0cc"],
    ["#fffbe6", "#9cbca3", "#0f2e20"],
    ["#2f6b4f", "#8fb573", "#d9b44a", "#123524", "#c96f4a"],
  ),
  palette(
    "ocean",
    ["#f2f7f7", "#082a42"],
    ["#0f4c75", "#4fa3cf", "#cdeaec"],
    ["#fff4d2", "#6fb3cc", "#06233a"],
    ["#0b3c5d", "#328cc1", "#9fd6df", "#f2c14e", "#f78154"],
  ),
  palette(
    "night",
    ["#0d1128", "#efeadb"],
    ["#060a1c", "#141c46", "#3b3a86"],
    ["#f7efcf", "#41479a", "#04060f"],
    ["#f5ecc9", "#7f8cf0", "#e86a92", "#46c2cb", "#35347a"],
  ),
  palette(
    "ember",
    ["#fbf1e4", "#2b0d10"],
    ["#3a0d1c", "#b5301d", "#f8b04b"],
    ["#ffe9b0", "#bb4a2e", "#1d070c"],
    ["#d8572a", "#f7b538", "#780116", "#c32f27", "#f3d9b1"],
  ),
  palette(
    "primary",
    ["#f3ecdc", "#191919"],
    ["#e9e2d0", "#f4dca6", "#f2b705"],
    ["#d1372c", "#8aa0c6", "#1a1a1a"],
    ["#d1372c", "#1f4ea1", "#f2b705", "#1a1a1a", "#dcd2b8"],
  ),
  palette(
    "candy",
    ["#fdf7fb", "#33205c"],
    ["#86b9fb", "#dcbcfb", "#ffd3df"],
    ["#fffaf0", "#b9a3e3", "#3f2672"],
    ["#ff7eb6", "#7c83fd", "#ffc75f", "#4b2e83", "#5fd3bc"],
  ),
  palette(
    "ice",
    ["#f6f9fb", "#173140"],
    ["#8db7d6", "#cfe2ee", "#f4f8fa"],
    ["#ffffff", "#b4cbdc", "#1f4059"],
    ["#24465f", "#5b8fb0", "#a9cbe0", "#e4572e", "#dfe9ef"],
  ),
  palette(
    "desert",
    ["#faf2e6", "#3f1d14"],
    ["#3f8296", "#ecc79e", "#f9e3bf"],
    ["#fff6dc", "#d9a072", "#57281b"],
    ["#c8553d", "#f28f3b", "#588b8b", "#ffd5c2", "#5a2a1c"],
  ),
  palette(
    "mono",
    ["#f7f5f0", "#161616"],
    ["#cfcfc9", "#e6e4dd", "#f7f5f0"],
    ["#ffffff", "#b5b3ad", "#1c1c1c"],
    ["#1c1c1c", "#6f6d68", "#b5b3ad", "#dcd8cf", "#e4482e"],
  ),
  palette(
    "orchard",
    ["#fbf5ea", "#3a1f2b"],
    ["#f5b895", "#f9d7b4", "#fdeed6"],
    ["#fff8e7", "#d99a8b", "#472236"],
    ["#b23a48", "#fcb9b2", "#8cb369", "#f4a259", "#5b2a44"],
  ),
]

/** Words of a prompt, in a few languages' roots, that call for a palette. */
const calls: ReadonlyArray<readonly [RegExp, ReadonlyArray<string>]> = [
  [
    /\b(flower|garden|meadow|spring|rose|fruit|food|coffee|bread|blossom|tulip|poppy|poppies)/i,
    ["orchard", "candy", "dawn"],
  ],
  [/\b(night|midnight|space|galax|cosm|star|moon|planet|neon|cyber|noir)/i, ["night"]],
  [/\b(sunset|dusk|evening|twilight|purple|violet)/i, ["dusk", "ember"]],
  [/\b(sunrise|dawn|morning|pastel|calm|soft)/i, ["dawn", "candy"]],
  [/\b(fire|lava|volcan|flame|red|autumn|fall|dragon|orange)/i, ["ember", "orchard"]],
  [/\b(snow|ice|icy|winter|arctic|frost|glacier|fjord|white)/i, ["ice"]],
  [/\b(sea|ocean|wave|beach|lake|river|water|blue|fish|whale|sail|island|coast)/i, ["ocean"]],
  [/\b(forest|tree|green|jungle|leaf|moss|tea|fox|bear|deer)/i, ["forest"]],
  [/\b(desert|dune|sand|canyon|camel|sahara|mars)/i, ["desert"]],
  [/\b(pink|candy|sweet|cute|kawaii|unicorn|cat|kitten)/i, ["candy"]],
  [/\b(bauhaus|geometr|poster|logo|abstract|minimal)/i, ["primary", "mono"]],
  [/\b(black|monochrome|gr[ae]y|ink|sketch)/i, ["mono"]],
]

/** Palettes that suit the prompt; all of them where no word of it calls for one. */
export const palettesFor = (prompt: string): ReadonlyArray<Palette> => {
  const names = calls.find(([words]) => words.test(prompt))?.[1]
  return names === undefined ? paletteList : paletteList.filter(({ name }) => names.includes(name))
}
