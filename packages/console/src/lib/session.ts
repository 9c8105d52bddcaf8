import { createContext } from "preact"
import { useContext } from "preact/hooks"
import type { Session } from "./wire.ts"

export const SessionContext = createContext<Session>({
  actor: "",
  role: "read",
  expires_at: null,
  units_per_usd: 500_000,
})

/** What the operator may change; the server decides, the page only does not offer what would be refused. */
export const useRole = (): { readonly isOwner: boolean; readonly maySupport: boolean } => {
  const { role } = useContext(SessionContext)
  return { isOwner: role === "owner", maySupport: role !== "read" }
}

/** The API key that was shown last in this page: never stored, gone with the page. */
let shownKey = ""
export const rememberKey = (key: string): void => {
  shownKey = key
}
export const rememberedKey = (): string => shownKey
