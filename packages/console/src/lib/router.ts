import { useEffect, useState } from "preact/hooks"

/** Where the browser is, below the page's own path. */
export interface Place {
  readonly path: string
  readonly query: URLSearchParams
}

let base = "/console"
export const setBase = (path: string): void => {
  base = path
}

const placeNow = (): Place => ({
  path: location.pathname.slice(base.length) || "/",
  query: new URLSearchParams(location.search),
})

const listeners = new Set<() => void>()
const changed = (): void => {
  for (const listener of listeners) listener()
}

/** Where a path of the page is. */
export const hrefOf = (path: string): string => `${base}${path === "/" ? "" : path}`

export const go = (path: string, options: { readonly replace?: boolean } = {}): void => {
  if (options.replace === true) history.replaceState(null, "", hrefOf(path))
  else history.pushState(null, "", hrefOf(path))
  changed()
}

const pathWith = (given: Readonly<Record<string, string | undefined>>): string => {
  const { path, query } = placeNow()
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || value === "") query.delete(name)
    else query.set(name, value)
  }
  const text = query.toString()
  return `${path}${text === "" ? "" : `?${text}`}`
}

/** Sets parameters of the address; empty ones are left out. */
export const setQuery = (given: Readonly<Record<string, string | undefined>>): void =>
  go(pathWith(given), { replace: true })

/** Where the page is with other parameters. */
export const hrefWith = (given: Readonly<Record<string, string | undefined>>): string =>
  hrefOf(pathWith(given))

export const usePlace = (): Place => {
  const [place, setPlace] = useState(placeNow)
  useEffect(() => {
    const update = () => setPlace(placeNow())
    listeners.add(update)
    addEventListener("popstate", update)
    return () => {
      listeners.delete(update)
      removeEventListener("popstate", update)
    }
  }, [])
  return place
}

/** Follows links of the page without loading it again. */
export const followLinks = (): void => {
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button !== 0) return
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    const link = (event.target as Element | null)?.closest("a")
    if (link === null || link === undefined || link.target !== "" || link.hasAttribute("download")) return
    const url = new URL(link.href)
    if (url.origin !== location.origin) return
    if (url.pathname !== base && !url.pathname.startsWith(`${base}/`)) return
    event.preventDefault()
    history.pushState(null, "", url.pathname + url.search)
    changed()
    // What opens beside the page leaves the page where it is.
    if (link.hasAttribute("data-beside")) return
    scrollTo(0, 0)
    document.getElementById("content")?.focus({ preventScroll: true })
  })
}
