import type { ComponentChildren, JSX } from "preact"
import { useEffect, useId, useRef, useState } from "preact/hooks"
import type { Failure } from "../lib/api.ts"
import { exactTime, isoTime, shortId, units, usd } from "../lib/format.ts"
import { useRelativeTime } from "../lib/hooks.ts"
import { Icon, StateShape } from "./Icon.tsx"

/** The head of a page, or of a drawer beside one: what it is, in a word and a sentence, and what can be done. */
export const Head = ({
  title,
  isBeside = false,
  children,
  actions,
}: {
  readonly title: string
  readonly isBeside?: boolean
  readonly children?: ComponentChildren
  readonly actions?: ComponentChildren
}) => {
  useEffect(() => {
    if (!isBeside) document.title = `${title} · Atelier`
  }, [title, isBeside])
  return (
    <header class="head">
      <div>
        {isBeside ? <h2 class="title">{title}</h2> : <h1>{title}</h1>}
        {children === undefined ? null : <p>{children}</p>}
      </div>
      {actions === undefined ? null : <div class="row">{actions}</div>}
    </header>
  )
}

const words: Readonly<Record<string, string>> = {
  in_progress: "in progress",
  half_open: "trying again",
  closed: "well",
  open: "stopped after failures",
  hold: "held",
  settle: "charged",
  release: "given back",
  grant: "granted",
}

/** A state by a shape and a word; its colour only helps. */
export const State = ({ state, word }: { readonly state: string; readonly word?: string }) => (
  <span class={`state ${state}`}>
    <StateShape state={state} />
    {word ?? words[state] ?? state}
  </span>
)

export const Money = ({ amount }: { readonly amount: number }) => (
  <span class="number" title={units(amount)}>
    {usd(amount)}
  </span>
)

/** A time as the reader thinks of it; the exact one is under the pointer, in what is copied, and for machines. */
export const Time = ({ at }: { readonly at: number | null }) =>
  at === null ? <span class="muted">–</span> : <Moment at={at} />

const Moment = ({ at }: { readonly at: number }) => {
  const text = useRelativeTime(at)
  return (
    <time dateTime={isoTime(at)} title={exactTime(at)}>
      {text}
    </time>
  )
}

/** A text that a click copies whole. */
export const Copy = ({
  text,
  label,
  short,
}: {
  readonly text: string
  readonly label: string
  readonly short?: boolean
}) => {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 1500)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = async () => {
    await navigator.clipboard?.writeText(text).catch(() => {})
    setCopied(true)
  }
  return (
    <button type="button" class="copy" onClick={copy} title={`Copy ${label}: ${text}`}>
      <span class="mono">{short === true ? shortId(text) : text}</span>
      <Icon name={copied ? "check" : "copy"} />
      <span class="hidden">{copied ? "copied" : `copy ${label}`}</span>
    </button>
  )
}

/** Why something failed, and what its reader can do. */
export const Problem = ({
  failure,
  retry,
  children,
}: {
  readonly failure: Failure | undefined
  readonly retry?: () => void
  /** Where to go instead. */
  readonly children?: ComponentChildren
}) => {
  if (failure === undefined) return null
  return (
    <div class="notice bad" role="alert">
      <strong>{failure.message}</strong>
      <span class="muted">
        {mend(failure)} <code>{failure.code}</code>
        {failure.requestId === null ? null : (
          <>
            {" "}
            · <Copy text={failure.requestId} label="request id" />
          </>
        )}
      </span>
      {retry === undefined ? null : (
        <div>
          <button type="button" onClick={retry}>
            Try again
          </button>
        </div>
      )}
      {children}
    </div>
  )
}

const mend = ({ code, status }: Failure): string => {
  if (code === "role_not_allowed")
    return "Your role does not allow it: ask an owner, or sign in with another token."
  if (status === 0) return "Check the process and the network; this page goes on by itself."
  if (status >= 500) return "The server's log has the reason under this request id."
  if (status === 401) return "Copy it again, whole: it may also be disabled or expired."
  if (status === 404) return "It may be of another server, or its id not copied whole."
  if (status === 409) return "It was changed meanwhile: load the page again to see its present state."
  if (status === 429) return "Wait a moment, then try again."
  if (status === 400 || status === 422) return "Mend what it names, then send it again."
  return ""
}

/** In place of a list that has nothing: what to do next. */
export const Empty = ({
  title,
  children,
}: {
  readonly title: string
  readonly children?: ComponentChildren
}) => (
  <div class="empty">
    <h2>{title}</h2>
    {children}
  </div>
)

export const Loading = () => (
  <p class="empty" role="status">
    Loading…
  </p>
)

/** A labelled control; `hint` is read with it. */
export const Field = ({
  label,
  hint,
  children,
}: {
  readonly label: string
  readonly hint?: ComponentChildren
  readonly children: ComponentChildren
}) => (
  <label class="field">
    <span>{label}</span>
    {children}
    {hint === undefined ? null : <small>{hint}</small>}
  </label>
)

type InputProps = Omit<JSX.IntrinsicElements["input"], "onInput" | "value"> & {
  readonly value: string
  readonly onValue: (value: string) => void
}
export const Input = ({ onValue, ...props }: InputProps) => (
  <input {...props} onInput={(event) => onValue(event.currentTarget.value)} />
)

export const Select = ({
  value,
  onValue,
  options,
}: {
  readonly value: string
  readonly onValue: (value: string) => void
  readonly options: ReadonlyArray<readonly [value: string, label: string]>
}) => (
  <select value={value} onChange={(event) => onValue(event.currentTarget.value)}>
    {options.map(([option, label]) => (
      <option key={option} value={option} selected={option === value}>
        {label}
      </option>
    ))}
  </select>
)

export const Check = ({
  label,
  checked,
  onValue,
}: {
  readonly label: string
  readonly checked: boolean
  readonly onValue: (checked: boolean) => void
}) => (
  <label class="check">
    <input type="checkbox" checked={checked} onChange={(event) => onValue(event.currentTarget.checked)} />
    {label}
  </label>
)

/** A dialog over the page; the browser keeps the focus in it, and Escape closes it. */
export const Dialog = ({
  title,
  onClose,
  children,
}: {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
}) => {
  const element = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const dialog = element.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])
  return (
    <dialog ref={element} aria-labelledby={id} onClose={onClose}>
      <div class="stack">
        <div class="row between">
          <h2 id={id}>{title}</h2>
          <button type="button" class="plain" onClick={onClose} title="Close (Escape)">
            <Icon name="close" />
            <span class="hidden">Close</span>
          </button>
        </div>
        {children}
      </div>
    </dialog>
  )
}

/** A choice of a few. */
export const Tabs = <A extends string>({
  label,
  value,
  options,
  onValue,
}: {
  readonly label: string
  readonly value: A
  readonly options: ReadonlyArray<readonly [value: A, label: string]>
  readonly onValue: (value: A) => void
}) => (
  <fieldset class="tabs" style={{ border: 0, margin: 0, padding: 0 }}>
    <legend class="hidden">{label}</legend>
    {options.map(([option, text]) => (
      <button key={option} type="button" aria-pressed={option === value} onClick={() => onValue(option)}>
        {text}
      </button>
    ))}
  </fieldset>
)
