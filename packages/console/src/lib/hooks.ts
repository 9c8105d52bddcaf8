import { useCallback, useEffect, useRef, useState } from "preact/hooks"
import { api, type Call, Failure, query } from "./api.ts"
import { relativeTime } from "./format.ts"

/** What is shown of a request: what it answered last, and why the last one failed. */
export interface Loaded<A> {
  readonly data: A | undefined
  readonly failure: Failure | undefined
  readonly reload: () => void
}

const asFailure = (cause: unknown): Failure =>
  cause instanceof Failure ? cause : new Failure(0, "failed", String(cause), null, null)

/** Told when the session is over. A key that is refused, of a customer in the playground, ends no session. */
let onSignedOut: () => void = () => {}
export const whenSignedOut = (callback: () => void): void => {
  onSignedOut = callback
}
const note = (failure: Failure): Failure => {
  if (failure.status === 401 && failure.isOfSession) onSignedOut()
  return failure
}

/** Loads a path (null: nothing yet), again whenever it changes, and every `everyMs` while the page is seen. */
export const useLoad = <A>(
  path: string | null,
  options: { readonly everyMs?: number; readonly key?: string } = {},
): Loaded<A> => {
  const { everyMs, key } = options
  const [state, setState] = useState<{ path: string | null; data?: A; failure?: Failure }>({ path: null })
  const [turn, setTurn] = useState(0)
  useEffect(() => {
    if (path === null) return
    const abort = new AbortController()
    api<A>(path, { key, signal: abort.signal }).then(
      (data) => setState({ path, data }),
      (cause: unknown) => {
        if (abort.signal.aborted) return
        const failure = note(asFailure(cause))
        setState((before) =>
          before.path === path && before.data !== undefined ? { ...before, failure } : { path, failure },
        )
      },
    )
    return () => abort.abort()
  }, [path, turn, key])
  useEffect(() => {
    if (everyMs === undefined) return
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") setTurn((before) => before + 1)
    }, everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  const isCurrent = state.path === path
  return {
    data: isCurrent ? state.data : undefined,
    failure: isCurrent ? state.failure : undefined,
    reload: useCallback(() => setTurn((before) => before + 1), []),
  }
}

export interface Page<A> {
  readonly data: ReadonlyArray<A>
  readonly has_more: boolean
  readonly last_id: string | null
}

/** A list that grows by a page when it is asked to; its first page is looked at again every `everyMs`. */
export const usePages = <A>(
  path: string,
  filter: Readonly<Record<string, string | undefined>>,
  options: { readonly everyMs?: number; readonly key?: string; readonly cursor?: string } = {},
): Loaded<ReadonlyArray<A>> & { readonly more: (() => void) | undefined; readonly loading: boolean } => {
  const { cursor = "cursor", key } = options
  const address = `${path}${query({ ...filter, limit: 100 })}`
  const [later, setLater] = useState<{ address: string; pages: ReadonlyArray<Page<A>> }>({
    address,
    pages: [],
  })
  const pages = later.address === address ? later.pages : []
  // Once more is shown the first page stays as it is: what came in between would be missing after it.
  const { everyMs, ...rest } = options
  const first = useLoad<Page<A>>(address, {
    ...rest,
    ...(everyMs === undefined || pages.length > 0 ? {} : { everyMs }),
  })
  const [loading, setLoading] = useState(false)
  const last = pages.at(-1) ?? first.data
  const more = () => {
    setLoading(true)
    api<Page<A>>(`${path}${query({ ...filter, limit: 100, [cursor]: last?.last_id })}`, { key })
      .then(
        (page) => setLater({ address, pages: [...pages, page] }),
        (cause: unknown) => note(asFailure(cause)),
      )
      .finally(() => setLoading(false))
  }
  return {
    data: first.data === undefined ? undefined : [...first.data.data, ...pages.flatMap((page) => page.data)],
    failure: first.failure,
    reload: first.reload,
    more: last?.has_more === true ? more : undefined,
    loading,
  }
}

/** Runs what a button asks for: one at a time, with its refusal beside it. */
export const useAction = <Args extends ReadonlyArray<unknown>, A>(
  run: (...args: Args) => Promise<A>,
): {
  readonly act: (...args: Args) => Promise<A | undefined>
  readonly failure: Failure | undefined
  readonly running: boolean
  readonly clear: () => void
} => {
  const [state, setState] = useState<{ running: boolean; failure?: Failure }>({ running: false })
  const busy = useRef(false)
  const act = async (...args: Args): Promise<A | undefined> => {
    if (busy.current) return undefined
    busy.current = true
    setState({ running: true })
    try {
      const value = await run(...args)
      setState({ running: false })
      return value
    } catch (cause) {
      setState({ running: false, failure: note(asFailure(cause)) })
      return undefined
    } finally {
      busy.current = false
    }
  }
  return { act, failure: state.failure, running: state.running, clear: () => setState({ running: false }) }
}

/** A change by the admin API. */
export const change = <A>(method: NonNullable<Call["method"]>, path: string, body?: unknown): Promise<A> =>
  api<A>(path, { method, ...(body === undefined ? {} : { body }) })

const tickMs = 5000
const tickers = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined
const tick = (): void => {
  for (const ticker of tickers) ticker()
}

/** A time such as "5 s ago", renewed every few seconds, by one clock for all that a page shows. */
export const useRelativeTime = (at: number): string => {
  // Drawn again only when its text is another one.
  const [, setText] = useState("")
  useEffect(() => {
    const tell = () => setText(relativeTime(at))
    tickers.add(tell)
    timer ??= setInterval(tick, tickMs)
    return () => {
      tickers.delete(tell)
      if (tickers.size > 0) return
      clearInterval(timer)
      timer = undefined
    }
  }, [at])
  return relativeTime(at)
}

/** Whether the window is as a media query says, now and later. */
export const useMedia = (media: string): boolean => {
  const [matches, setMatches] = useState(() => matchMedia(media).matches)
  useEffect(() => {
    const list = matchMedia(media)
    const update = () => setMatches(list.matches)
    update()
    list.addEventListener("change", update)
    return () => list.removeEventListener("change", update)
  }, [media])
  return matches
}
