import type { Style } from "./Canvas.ts"
import { bauhaus } from "./styles/Bauhaus.ts"
import { city } from "./styles/City.ts"
import { dunes } from "./styles/Dunes.ts"
import { forest } from "./styles/Forest.ts"
import { meadow } from "./styles/Meadow.ts"
import { mosaic } from "./styles/Mosaic.ts"
import { mountains } from "./styles/Mountains.ts"
import { orbits } from "./styles/Orbits.ts"
import { pebbles } from "./styles/Pebbles.ts"
import { ribbons } from "./styles/Ribbons.ts"
import { scallops } from "./styles/Scallops.ts"
import { sea } from "./styles/Sea.ts"

/** A style, and whether it draws a scene, which is shown up to the edges, or an ornament, shown as a print. */
export interface StyleEntry {
  readonly name: string
  readonly draw: Style
  readonly scene: boolean
}

const scene = (name: string, draw: Style): StyleEntry => ({ name, draw, scene: true })
const ornament = (name: string, draw: Style): StyleEntry => ({ name, draw, scene: false })

const styles: ReadonlyArray<StyleEntry> = [
  scene("mountains", mountains),
  scene("forest", forest),
  scene("sea", sea),
  scene("city", city),
  ornament("meadow", meadow),
  scene("orbits", orbits),
  scene("dunes", dunes),
  ornament("bauhaus", bauhaus),
  ornament("ribbons", ribbons),
  ornament("mosaic", mosaic),
  ornament("scallops", scallops),
  ornament("pebbles", pebbles),
]

/** One of these words, or its plural: a stem would find the sea in a season and a star in a start. */
const words = (...list: ReadonlyArray<string>): RegExp => new RegExp(`\\b(${list.join("|")})(s|es)?\\b`, "i")

/** Words of a prompt that call for styles; the first line that matches decides. */
const calls: ReadonlyArray<readonly [RegExp, ReadonlyArray<string>]> = [
  [words("bauhaus", "geometr(y|ic|ical)", "logo", "icon", "poster"), ["bauhaus", "pebbles"]],
  [
    words("abstract(ion)?", "pattern", "flow(ing)?", "music(al)?", "danc(e|er|ing)", "silk", "hair"),
    ["ribbons", "scallops", "mosaic", "pebbles"],
  ],
  [words("stained.glass", "mosaic", "crystal", "gem", "low.?poly"), ["mosaic"]],
  [
    words(
      "planet(ary)?",
      "(outer )?space(ship|craft)?",
      "galax(y|ies)",
      "cosm(os|ic)",
      "orbit(ing)?",
      "astronaut",
      "rocket",
      "star",
      "starry",
      "moon(light|lit)?",
      "universe",
      "sci.?fi",
    ),
    ["orbits"],
  ],
  [
    words(
      "cit(y|ies)",
      "cityscape",
      "skyline",
      "street",
      "building",
      "tower",
      "skyscraper",
      "urban",
      "downtown",
      "cyber(punk|city)?",
      "tokyo",
      "paris",
      "london",
      "new york",
    ),
    ["city"],
  ],
  [
    words(
      "sea(side|shore|scape)?",
      "ocean",
      "wave",
      "beach",
      "harbou?r",
      "lighthouse",
      "sail(ing|boat)?",
      "boat",
      "ship",
      "whale",
      "island",
      "coast(al|line)?",
      "lake",
      "river",
    ),
    ["sea"],
  ],
  [
    words(
      "flower",
      "garden",
      "meadow",
      "bloom(ing)?",
      "blossom",
      "rose",
      "tulip",
      "springtime",
      "bee",
      "butterfl(y|ies)",
      "popp(y|ies)",
      "field",
    ),
    ["meadow"],
  ],
  [
    words(
      "(rain)?forest",
      "tree",
      "wood",
      "woodland",
      "jungle",
      "fox",
      "deer",
      "owl",
      "wol(f|ves)",
      "moss",
      "pine",
    ),
    ["forest"],
  ],
  [words("desert", "dune", "sand", "camel", "canyon", "sahara", "mars", "hill"), ["dunes"]],
  [
    words(
      "mountain(ous)?",
      "alps",
      "alpine",
      "peak",
      "valley",
      "landscape",
      "sunrise",
      "sunset",
      "glacier",
      "snow(y)?",
      "fjord",
      "nature",
    ),
    ["mountains"],
  ],
]

/** Styles that show nothing in particular. */
const abstract = ["bauhaus", "ribbons", "mosaic", "scallops", "pebbles"]

/** Styles that suit the prompt: a subject that none of them can draw is not shown as another one. */
export const stylesFor = (prompt: string): ReadonlyArray<StyleEntry> => {
  const names = calls.find(([word]) => word.test(prompt))?.[1] ?? abstract
  return styles.filter(({ name }) => names.includes(name))
}
