import type { ComponentChildren } from "preact"
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks"

export interface Column<A> {
  readonly name: string
  readonly cell: (row: A) => ComponentChildren
  /** Numbers are aligned at their end. */
  readonly right?: boolean
  /** Left out on a phone. */
  readonly minor?: boolean
  /** Left out on a tablet too. */
  readonly least?: boolean
}

/** A table of more rows is long: these are in it from the start, and give its columns their widths. */
const firstRows = 50
/** Rows that come into the page together: few enough to be there within a frame. */
const chunkRows = 10
/** How far beyond the window rows are in the page: scrolling and `j` meet none that is missing. */
const aheadPx = 1000
/** A guess for rows that were not in the page yet. */
const rowPx = 38

/**
 * Rows under a head that stays. `j` and `k` move between the rows' links. Of a long table only the rows around the
 * window are in the page, and columns keep the widths that its first rows gave them.
 */
export const Table = <A,>({
  caption,
  columns,
  rows,
  rowKey,
  more,
  loading,
}: {
  readonly caption: string
  readonly columns: ReadonlyArray<Column<A>>
  readonly rows: ReadonlyArray<A>
  readonly rowKey: (row: A) => string
  readonly more?: (() => void) | undefined
  readonly loading?: boolean
}) => {
  const table = useRef<HTMLTableElement>(null)
  useEffect(() => {
    const move = (event: KeyboardEvent) => {
      const step = event.key === "j" ? 1 : event.key === "k" ? -1 : 0
      if (step === 0 || event.ctrlKey || event.metaKey || isWriting(event.target)) return
      const links = [...(table.current?.querySelectorAll<HTMLElement>("tbody tr > :first-child a") ?? [])]
      if (links.length === 0) return
      const focused = links.indexOf(document.activeElement as HTMLElement)
      // From a part beside the table they go on where it was left.
      const at = focused >= 0 ? focused : links.findIndex((link) => link.ariaCurrent === "true")
      links[Math.min(links.length - 1, Math.max(0, at + step))]?.focus()
    }
    addEventListener("keydown", move)
    return () => removeEventListener("keydown", move)
  }, [])
  const scroll = useRef<HTMLElement>(null)
  const [isWide, setIsWide] = useState(false)
  useLayoutEffect(() => {
    const [box, content] = [scroll.current, table.current]
    if (box === null || content === null) return
    const measure = () => setIsWide(content.offsetWidth > box.clientWidth)
    const observer = new ResizeObserver(measure)
    observer.observe(box)
    observer.observe(content)
    measure()
    return () => observer.disconnect()
  }, [])
  const isLong = rows.length > firstRows
  useLayoutEffect(() => {
    const [box, content] = [scroll.current, table.current]
    if (!isLong || box === null || content === null) return
    let boxWidth: number | undefined
    const heads = () => [...content.querySelectorAll("th")]
    const loosen = () => {
      content.classList.remove("fixed")
      content.style.width = ""
      for (const head of heads()) head.style.width = ""
    }
    // With fixed widths, rows that come into the page leave all others where they are.
    const fix = () => {
      if (box.clientWidth === boxWidth) return
      boxWidth = box.clientWidth
      loosen()
      const whole = content.offsetWidth
      const shares = heads().map(
        (head) => [head, (100 * head.getBoundingClientRect().width) / whole] as const,
      )
      for (const [head, share] of shares) head.style.width = `${share}%`
      if (whole > boxWidth) content.style.width = `${whole}px`
      content.classList.add("fixed")
    }
    const observer = new ResizeObserver(fix)
    observer.observe(box)
    fix()
    return () => {
      observer.disconnect()
      loosen()
    }
  }, [isLong])
  const chunks = Array.from({ length: Math.ceil(rows.length / chunkRows) }, (_, n) => n * chunkRows)
  return (
    <>
      {/* A table that fits is scrolled with the page. A wider one has a box of its own, for the keyboard too. */}
      <section
        ref={scroll}
        class={isWide ? "scroll own" : "scroll"}
        tabIndex={isWide ? 0 : undefined}
        aria-label={caption}
      >
        <table ref={table} aria-rowcount={isLong ? (more === undefined ? rows.length + 1 : -1) : undefined}>
          <caption class="hidden">{caption}</caption>
          <thead>
            <tr aria-rowindex={isLong ? 1 : undefined}>
              {columns.map((column, index) => (
                <th key={column.name} scope="col" class={classOf(column, index === endOf(columns))}>
                  {column.name}
                </th>
              ))}
            </tr>
          </thead>
          {chunks.map((from) => (
            <Chunk
              key={from}
              columns={columns}
              rows={rows.slice(from, from + chunkRows)}
              rowKey={rowKey}
              from={isLong ? from : undefined}
            />
          ))}
        </table>
      </section>
      {more === undefined ? null : (
        <div class="empty" style={{ padding: "16px" }}>
          <button type="button" onClick={more} disabled={loading === true}>
            {loading === true ? "Loading…" : "Show more"}
          </button>
        </div>
      )}
    </>
  )
}

const classOf = <A,>({ right, minor, least }: Column<A>, isEnd: boolean): string =>
  [right && "right", minor && "minor", least && "least", isEnd && "end"].filter(Boolean).join(" ")

/** The last column that a phone shows. */
const endOf = <A,>(columns: ReadonlyArray<Column<A>>): number =>
  columns.findLastIndex(({ minor, least }) => minor !== true && least !== true)

type Told = (entry: IntersectionObserverEntry) => void
const watched = new Map<Element, Told>()
let watcher: IntersectionObserver | undefined

/** Tells when an element comes near the window, and when it leaves; one observer for all, which costs least at a scroll. */
const watch = (element: Element, told: Told): (() => void) => {
  watcher ??= new IntersectionObserver(
    (entries) => {
      for (const entry of entries) watched.get(entry.target)?.(entry)
    },
    { rootMargin: `${aheadPx}px 0px`, scrollMargin: `${aheadPx}px 0px` },
  )
  watched.set(element, told)
  watcher.observe(element)
  return () => {
    watcher?.unobserve(element)
    watched.delete(element)
  }
}

/** Rows of a table; where it is long, its height alone while it is far from the window. */
const Chunk = <A,>({
  columns,
  rows,
  rowKey,
  from,
}: {
  readonly columns: ReadonlyArray<Column<A>>
  readonly rows: ReadonlyArray<A>
  readonly rowKey: (row: A) => string
  /** How many rows are before it; undefined in a table that is not long. */
  readonly from: number | undefined
}) => {
  const body = useRef<HTMLTableSectionElement>(null)
  const isLong = from !== undefined
  const [awayPx, setAwayPx] = useState(isLong && from >= firstRows ? rows.length * rowPx : undefined)
  useEffect(() => {
    const { current } = body
    if (current === null || !isLong) return
    return watch(current, ({ isIntersecting, boundingClientRect }) => {
      const isHeld = current.contains(document.activeElement)
      setAwayPx(isIntersecting || isHeld ? undefined : boundingClientRect.height)
    })
  }, [isLong])
  if (isLong && awayPx !== undefined) {
    return (
      <tbody ref={body} aria-hidden="true">
        <tr class="away">
          <td colSpan={columns.length} style={{ height: `${awayPx}px` }} />
        </tr>
      </tbody>
    )
  }
  const end = endOf(columns)
  const classes = columns.map((column, index) => classOf(column, index === end))
  return (
    <tbody ref={body}>
      {rows.map((row, n) => (
        <tr key={rowKey(row)} aria-rowindex={isLong ? from + n + 2 : undefined}>
          {columns.map((column, index) => (
            <td key={column.name} class={classes[index]}>
              {column.cell(row)}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  )
}

export const isWriting = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)
