import { useEffect, useState } from "preact/hooks"
import { api, Failure } from "./lib/api.ts"
import { setUnitsPerUsd } from "./lib/format.ts"
import { whenSignedOut } from "./lib/hooks.ts"
import { hrefOf, type Place, usePlace } from "./lib/router.ts"
import { rememberKey, SessionContext } from "./lib/session.ts"
import type { Session } from "./lib/wire.ts"
import { Access } from "./pages/Access.tsx"
import { Audit } from "./pages/Audit.tsx"
import { Catalog } from "./pages/Catalog.tsx"
import { Channels } from "./pages/Channels.tsx"
import { Ledger } from "./pages/Ledger.tsx"
import { Overview } from "./pages/Overview.tsx"
import { Playground } from "./pages/Playground.tsx"
import { Plugins } from "./pages/Plugins.tsx"
import { Settings } from "./pages/Settings.tsx"
import { SignIn } from "./pages/SignIn.tsx"
import { TaskPage } from "./pages/Task.tsx"
import { Tasks } from "./pages/Tasks.tsx"
import { UserPage } from "./pages/User.tsx"
import { Users } from "./pages/Users.tsx"
import { Empty, Head, Loading, Problem } from "./parts/basics.tsx"
import { Icon, type IconName } from "./parts/Icon.tsx"
import { Logo } from "./parts/Logo.tsx"
import { isWriting } from "./parts/Table.tsx"
import { ThemeButton } from "./parts/Theme.tsx"

const places: ReadonlyArray<readonly [path: string, name: string, icon: IconName]> = [
  ["/", "Overview", "overview"],
  ["/tasks", "Tasks", "tasks"],
  ["/users", "Customers", "users"],
  ["/ledger", "Ledger", "ledger"],
  ["/catalog", "Catalog", "catalog"],
  ["/channels", "Channels", "channels"],
  ["/plugins", "Plugins", "plugins"],
  ["/playground", "Playground", "playground"],
  ["/audit", "Audit", "audit"],
  ["/access", "Access", "access"],
  ["/settings", "Settings", "settings"],
]

/** The console: the sign-in, or the page of the address. */
export const App = () => {
  // Undefined while it is asked who is signed in, null if there is no session.
  const [session, setSession] = useState<Session | null>()
  const [failure, setFailure] = useState<Failure>()
  const [isOver, setIsOver] = useState(false)
  const place = usePlace()
  const signedIn = (found: Session) => {
    setUnitsPerUsd(found.units_per_usd)
    setFailure(undefined)
    setSession(found)
  }
  const signedOut = () => {
    setIsOver(false)
    setSession(null)
  }
  const ask = () =>
    api<Session>("/admin/v1/session").then(signedIn, (cause: unknown) => {
      if (cause instanceof Failure && cause.status !== 401) setFailure(cause)
      else setSession(null)
    })
  useEffect(() => {
    whenSignedOut(() => {
      setIsOver(true)
      setSession(null)
    })
    ask()
  }, [])
  if (failure !== undefined) {
    return (
      <main class="center">
        <div class="card">
          <Problem failure={failure} retry={ask} />
        </div>
      </main>
    )
  }
  if (session === undefined) return <Loading />
  if (session === null) return <SignIn isOver={isOver} onSignedIn={signedIn} />
  return (
    <SessionContext.Provider value={session}>
      <Frame place={place} session={session} onSignedOut={signedOut} />
    </SessionContext.Provider>
  )
}

const Frame = ({
  place,
  session,
  onSignedOut,
}: {
  readonly place: Place
  readonly session: Session
  readonly onSignedOut: () => void
}) => {
  const [theme, setTheme] = useState(0)
  useEffect(() => {
    const search = (event: KeyboardEvent) => {
      if (event.key !== "/" || isWriting(event.target)) return
      const input = document.querySelector<HTMLInputElement>("input[type=search]")
      if (input === null) return
      event.preventDefault()
      input.focus()
    }
    addEventListener("keydown", search)
    return () => removeEventListener("keydown", search)
  }, [])
  const signOut = async () => {
    try {
      await api("/admin/v1/session", { method: "DELETE" })
    } catch (failure) {
      // The session may live on: the page must not look as if it did not.
      if (!(failure instanceof Failure && failure.status === 401)) {
        alert(`You are still signed in: ${failure instanceof Error ? failure.message : failure}`)
        return
      }
    }
    rememberKey("")
    onSignedOut()
  }
  const current = `/${place.path.split("/")[1] ?? ""}`
  // On a phone the bar goes on beyond the window.
  useEffect(() => {
    document.querySelector(".rail [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" })
  }, [current])
  return (
    <div class="frame">
      <a class="skip" href="#content">
        To the content
      </a>
      <header class="rail">
        <a class="brand" href={hrefOf("/")} aria-label="Atelier, overview">
          <Logo />
          <span>Atelier</span>
        </a>
        <nav aria-label="Pages">
          {places.map(([path, name, icon]) => (
            <a key={path} href={hrefOf(path)} aria-current={path === current ? "page" : undefined}>
              <Icon name={icon} />
              <span class="label">{name}</span>
            </a>
          ))}
        </nav>
        <div class="who">
          <p class="muted">
            {session.role}
            <br />
            <span class="mono">{session.actor.slice(0, 20)}</span>
          </p>
          <div class="row">
            <ThemeButton onChange={() => setTheme((before) => before + 1)} />
            <button type="button" class="plain" onClick={signOut} aria-label="Sign out">
              <Icon name="out" />
            </button>
          </div>
        </div>
      </header>
      <main id="content" tabIndex={-1} key={theme}>
        <View place={place} />
      </main>
    </div>
  )
}

const pages: Readonly<Record<string, () => preact.JSX.Element>> = {
  "": Overview,
  tasks: Tasks,
  users: Users,
  ledger: Ledger,
  catalog: Catalog,
  channels: Channels,
  plugins: Plugins,
  playground: Playground,
  audit: Audit,
  access: Access,
  settings: Settings,
}

/** A part of an address that was typed may be no encoded text: it is taken as it is. */
const textOf = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

const View = ({ place: { path } }: { readonly place: Place }) => {
  const [, page = "", id = ""] = path.split("/")
  if (id !== "" && page === "tasks") return <TaskPage key={id} id={textOf(id)} />
  if (id !== "" && page === "users") return <UserPage key={id} id={textOf(id)} />
  const Page = pages[page]
  if (Page !== undefined) return <Page />
  return (
    <>
      <Head title="Nothing here" />
      <Empty title="There is no such page">
        <a href={hrefOf("/")}>To the overview</a>
      </Empty>
    </>
  )
}
