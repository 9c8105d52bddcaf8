import type { ComponentChildren } from "preact"
import type { useAction } from "../lib/hooks.ts"
import { Dialog, Problem } from "./basics.tsx"

/**
 * A form in a dialog: its fields, what went wrong, and two buttons. It is sent once, however often it is pressed. What
 * came of it may take the place of the form in the same dialog.
 */
export const DialogForm = ({
  title,
  word,
  danger = false,
  action: { act, failure, running },
  done,
  onClose,
  children,
}: {
  readonly title: string
  /** On the button that sends it. */
  readonly word: string
  readonly danger?: boolean
  readonly action: Pick<ReturnType<typeof useAction<[], unknown>>, "act" | "failure" | "running">
  /** Shown in place of the form. */
  readonly done?: ComponentChildren
  readonly onClose: () => void
  readonly children: ComponentChildren
}) => {
  const submit = (event: Event) => {
    event.preventDefault()
    act()
  }
  return (
    <Dialog title={title} onClose={onClose}>
      {done === undefined ? (
        <form class="stack" onSubmit={submit}>
          {children}
          <Problem failure={failure} />
          <div class="row">
            <button class={danger ? "danger" : "primary"} type="submit" disabled={running}>
              {word}
            </button>
            <button type="button" onClick={onClose}>
              Leave it
            </button>
          </div>
        </form>
      ) : (
        <>
          {done}
          <div>
            <button type="button" onClick={onClose}>
              Done
            </button>
          </div>
        </>
      )}
    </Dialog>
  )
}
