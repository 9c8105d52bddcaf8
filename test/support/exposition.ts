/** A reader of Prometheus' text format that takes nothing that the format does not allow. */

export interface Sample {
  readonly name: string
  readonly labels: ReadonlyMap<string, string>
  readonly value: number
}

export interface Family {
  readonly name: string
  readonly type: "counter" | "gauge" | "histogram"
  readonly help: string
  readonly samples: ReadonlyArray<Sample>
}

const helpLine = /^# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) ([^\n]+)$/
const typeLine = /^# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge|histogram)$/
const sampleLine = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\+Inf|-Inf|NaN|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/
const label = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(,|$)/y

const labelsOf = (text: string): ReadonlyMap<string, string> => {
  const labels = new Map<string, string>()
  label.lastIndex = 0
  while (label.lastIndex < text.length) {
    const at = label.lastIndex
    const [, name = "", value = ""] = label.exec(text) ?? []
    if (name === "" || labels.has(name)) throw new Error(`bad labels at ${at} of {${text}}`)
    labels.set(name, value)
  }
  return labels
}

/** Every family, each once and in one piece, with help and type before its samples. */
export const parseExposition = (text: string): ReadonlyArray<Family> => {
  if (!text.endsWith("\n")) throw new Error("the last line does not end")
  const families: Array<Family & { samples: Array<Sample> }> = []
  const seen = new Set<string>()
  let help: RegExpExecArray | null = null
  for (const line of text.slice(0, -1).split("\n")) {
    const type = typeLine.exec(line)
    if (line.startsWith("# HELP")) {
      help = helpLine.exec(line)
      if (help === null) throw new Error(`bad help: ${line}`)
    } else if (type !== null) {
      const [, name = "", kind = ""] = type
      if (help?.[1] !== name) throw new Error(`type without help: ${line}`)
      if (families.some((family) => family.name === name)) throw new Error(`twice: ${name}`)
      families.push({ name, type: kind as Family["type"], help: help[2] ?? "", samples: [] })
    } else {
      const [, name = "", labels = "", value = ""] = sampleLine.exec(line) ?? []
      const family = families.at(-1)
      const belongs =
        family?.type === "histogram"
          ? [`${family.name}_bucket`, `${family.name}_sum`, `${family.name}_count`].includes(name)
          : family?.name === name
      if (family === undefined || !belongs) throw new Error(`no sample of ${family?.name}: ${line}`)
      const series = `${name}{${labels}}`
      if (seen.has(series)) throw new Error(`twice: ${series}`)
      seen.add(series)
      family.samples.push({ name, labels: labelsOf(labels), value: Number(value.replace("Inf", "Infinity")) })
    }
  }
  return families
}
