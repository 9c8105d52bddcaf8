import { useState } from "preact/hooks"
import { api } from "../lib/api.ts"
import { useAction } from "../lib/hooks.ts"
import type { Session } from "../lib/wire.ts"
import { Field, Input, Problem } from "../parts/basics.tsx"
import { Logo } from "../parts/Logo.tsx"

export const SignIn = ({
  isOver,
  onSignedIn,
}: {
  /** Whether a session ended while it was in use. */
  readonly isOver: boolean
  readonly onSignedIn: (session: Session) => void
}) => {
  const [token, setToken] = useState("")
  const { act, failure, running } = useAction(async () =>
    onSignedIn(await api<Session>("/admin/v1/session", { method: "PUT", key: token.trim() })),
  )
  const submit = (event: Event) => {
    event.preventDefault()
    act()
  }
  return (
    <main class="center">
      <form class="card" onSubmit={submit}>
        <div class="row">
          <span style={{ width: "32px", height: "32px", display: "block" }}>
            <Logo />
          </span>
          <h1>Atelier</h1>
        </div>
        {isOver ? (
          <div class="notice warn" role="status">
            <strong>Your session is over.</strong>
            <span>Sign in again, and go on where you were.</span>
          </div>
        ) : null}
        <p class="muted">
          Sign in with an admin token: <code>ATELIER_ADMIN_TOKEN</code>, or one that an owner made for you.
          Your browser keeps a session, not the token.
        </p>
        <input hidden type="text" autocomplete="username" value="Admin token" readOnly />
        <Field label="Admin token">
          <Input
            type="password"
            autocomplete="current-password"
            required
            autofocus
            value={token}
            onValue={setToken}
          />
        </Field>
        <Problem failure={failure} />
        <button class="primary" type="submit" disabled={running} style={{ justifyContent: "center" }}>
          {running ? "Signing in…" : "Sign in"}
        </button>
      </form>
    </main>
  )
}
