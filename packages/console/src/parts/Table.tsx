import type { ComponentChildren } from "preact"
import { useEffect, useRef } from "preact/hooks"

export interface Column<A> {
  readonly name: string
  readonly cell: (row: A) => ComponentChildren
  /** Numbers are aligned at their end. */
  readonly right?: boolean
  /** Left out on a phone. */
  readonly minor?: boolean
}

/** Rows under a head that stays. `j` and `k` move between the rows' links. */
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
  const body = useRef<HTMLTableSectionElement>(null)
  useEffect(() => {
    const move = (event: KeyboardEvent) => {
      const step = event.key === "j" ? 1 : event.key === "k" ? -1 : 0
      if (step === 0 || event.ctrlKey || event.metaKey || isWriting(event.target)) return
      const links = [...(body.current?.querySelectorAll<HTMLElement>("tr > :first-child a") ?? [])]
      if (links.length === 0) return
      const at = links.indexOf(document.activeElement as HTMLElement)
      links[Math.min(links.length - 1, Math.max(0, at + step))]?.focus()
    }
    addEventListener("keydown", move)
    return () => removeEventListener("keydown", move)
  }, [])
  const classOf = (column: Column<A>) =>
    [column.right === true ? "right" : "", column.minor === true ? "minor" : ""].join(" ").trim()
  return (
    <>
      {/* A table that is wider than its page is scrolled by the keyboard too. */}
      <section class="scroll" tabIndex={0} aria-label={caption}>
        <table>
          <caption class="hidden">{caption}</caption>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column.name} scope="col" class={classOf(column)}>
                  {column.name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody ref={body}>
            {rows.map((row) => (
              <tr key={rowKey(row)}>
                {columns.map((column) => (
                  <td key={column.name} class={classOf(column)}>
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
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

export const isWriting = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)
