import { useEffect, useRef } from "preact/hooks"
import uPlot from "uplot"
import { compact, exactTime } from "../lib/format.ts"

export interface Line {
  readonly name: string
  /** A custom property of the style sheet. */
  readonly color: string
  readonly dashed?: boolean
  readonly values: ReadonlyArray<number>
}

/** Where nothing happened, steps of an axis round to the same text. */
const withoutRepetitions = (texts: ReadonlyArray<string>): Array<string> =>
  texts.map((text, index) => (text === texts[index - 1] ? "" : text))

/** Hours and minutes of a time, or its day where more than two days are shown. */
const momentOf = (times: ReadonlyArray<number>) => {
  const isLong = (times.at(-1) ?? 0) - (times[0] ?? 0) > 2 * 86_400
  return (seconds: number): string => exactTime(seconds).slice(...(isLong ? [5, 10] : [11, 16]))
}

/** A colour as the page shows it now; custom properties alone are not resolved. */
const colorOf = (element: HTMLElement, property: string): string => {
  const before = element.style.color
  element.style.color = `var(${property})`
  const color = getComputedStyle(element).color
  element.style.color = before
  return color
}

/** Lines over time, and the same numbers in a table for who does not see them. */
export const Chart = ({
  title,
  times,
  lines,
  format = compact,
}: {
  readonly title: string
  readonly times: ReadonlyArray<number>
  readonly lines: ReadonlyArray<Line>
  readonly format?: (value: number) => string
}) => {
  const place = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(null)
  const theme = useScheme()
  useEffect(() => {
    const element = place.current
    if (element === null) return
    const muted = colorOf(element, "--muted")
    const grid = { stroke: colorOf(element, "--line"), width: 1 }
    const font = `12px "Manrope Variable", system-ui, sans-serif`
    const axis = { stroke: muted, grid, ticks: { show: false }, font }
    const made = new uPlot(
      {
        width: element.clientWidth,
        height: 180,
        cursor: { y: false, points: { size: 6 } },
        legend: { show: false },
        scales: { y: { range: (_, __, max) => [0, Math.max(max * 1.1, 1e-9)] } },
        axes: [
          {
            ...axis,
            space: 64,
            size: 32,
            values: (_, splits) => withoutRepetitions(splits.map(momentOf(times))),
          },
          { ...axis, size: 56, values: (_, splits) => withoutRepetitions(splits.map(format)) },
        ],
        series: [
          {},
          ...lines.map(({ name, color, dashed }) => ({
            label: name,
            stroke: colorOf(element, color),
            width: 2,
            points: { show: false },
            ...(dashed === true ? { dash: [6, 4] } : {}),
          })),
        ],
      },
      [[...times], ...lines.map(({ values }) => [...values])],
      element,
    )
    plot.current = made
    const observer = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: 180 }))
    observer.observe(element)
    return () => {
      observer.disconnect()
      made.destroy()
      plot.current = null
    }
  }, [theme, lines.length])
  useEffect(
    () => plot.current?.setData([[...times], ...lines.map(({ values }) => [...values])]),
    [times, lines],
  )
  return (
    <div class="stack">
      <div class="chart" ref={place} aria-hidden="true" />
      <p class="legend" aria-hidden="true">
        {lines.map(({ name, color, dashed }) => (
          <span key={name}>
            <svg viewBox="0 0 18 8">
              <path
                d="M0 4h18"
                stroke-width="2"
                stroke-dasharray={dashed === true ? "5 3" : "none"}
                style={{ stroke: `var(${color})` }}
              />
            </svg>
            {name}
          </span>
        ))}
      </p>
      <details>
        <summary>{title} as a table</summary>
        <section class="scroll own" style={{ maxHeight: "240px" }} tabIndex={0} aria-label={title}>
          <table>
            <caption class="hidden">{title}</caption>
            <thead>
              <tr>
                <th scope="col">Time</th>
                {lines.map(({ name }) => (
                  <th key={name} scope="col" class="right">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {times.map((at, index) => (
                <tr key={at}>
                  <td class="nowrap">{exactTime(at)}</td>
                  {lines.map(({ name, values }) => (
                    <td key={name} class="right">
                      {format(values[index] ?? 0)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </div>
  )
}

/** Changes with the theme, by the reader's choice or the system's. */
const useScheme = (): string => {
  const scheme = document.documentElement.dataset["theme"] ?? ""
  return `${scheme} ${matchMedia("(prefers-color-scheme: dark)").matches}`
}

/** A line without axes, beside its number. */
export const Spark = ({
  values,
  color,
}: {
  readonly values: ReadonlyArray<number>
  readonly color: string
}) => {
  const max = Math.max(...values, 1)
  const points = values.map((value, index) => {
    const x = (index / Math.max(1, values.length - 1)) * 100
    return `${x.toFixed(2)},${(30 - (value / max) * 28).toFixed(2)}`
  })
  return (
    <svg class="spark" viewBox="0 0 100 32" preserveAspectRatio="none" aria-hidden="true">
      <polyline
        points={points.join(" ")}
        fill="none"
        stroke-width="1.5"
        vector-effect="non-scaling-stroke"
        stroke-linejoin="round"
        style={{ stroke: `var(${color})` }}
      />
    </svg>
  )
}
