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

/** Words of a prompt that call for styles; the first line that matches decides. */
const calls: ReadonlyArray<readonly [RegExp, ReadonlyArray<string>]> = [
  [/\b(bauhaus|geometr|logo|icon|poster)/i, ["bauhaus", "pebbles"]],
  [/\b(abstract|pattern|flow|music|dance|paint|silk|hair)/i, ["ribbons", "scallops", "mosaic", "pebbles"]],
  [/\b(stained|glass|mosaic|crystal|gem|low.?poly)/i, ["mosaic"]],
  [/\b(planet|space|galax|cosm|orbit|astronaut|rocket|star|moon|universe|sci.?fi|robot)/i, ["orbits"]],
  [
    /\b(city|skyline|street|building|tower|urban|downtown|neon|cyber|tokyo|paris|london|new york|house)/i,
    ["city"],
  ],
  [
    /\b(sea|ocean|wave|beach|harbou?r|lighthouse|sail|boat|ship|whale|island|coast|lake|river|fish)/i,
    ["sea"],
  ],
  [/\b(flower|garden|meadow|bloom|blossom|rose|tulip|spring|bee|butterfl|poppy|field)/i, ["meadow"]],
  [/\b(forest|tree|wood|jungle|fox|bear|deer|owl|wolf|moss|pine|cabin)/i, ["forest"]],
  [/\b(desert|dune|sand|camel|canyon|sahara|mars|hill)/i, ["dunes"]],
  [
    /\b(mountain|alp|peak|valley|landscape|sunrise|sunset|glacier|snow|fjord|dragon|castle|nature)/i,
    ["mountains"],
  ],
]

/** Styles that suit the prompt; all of them where no word of it calls for one. */
export const stylesFor = (prompt: string): ReadonlyArray<StyleEntry> => {
  const names = calls.find(([words]) => words.test(prompt))?.[1]
  return names === undefined ? styles : styles.filter(({ name }) => names.includes(name))
}
