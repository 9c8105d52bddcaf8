import { useState } from "preact/hooks"
import { Icon } from "./Icon.tsx"

type Theme = "light" | "dark"
const kept = "atelier-theme"

/** The reader's choice, else the system's. */
export const applyTheme = (): void => {
  const theme = localStorage.getItem(kept)
  if (theme === "light" || theme === "dark") document.documentElement.dataset["theme"] = theme
}

const current = (): Theme => {
  const chosen = document.documentElement.dataset["theme"]
  if (chosen === "light" || chosen === "dark") return chosen
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"
}

export const ThemeButton = ({ onChange }: { readonly onChange: () => void }) => {
  const [theme, setTheme] = useState(current)
  const other = theme === "light" ? "dark" : "light"
  const change = () => {
    localStorage.setItem(kept, other)
    document.documentElement.dataset["theme"] = other
    setTheme(other)
    onChange()
  }
  return (
    <button type="button" class="plain" onClick={change} aria-label={`Use the ${other} theme`}>
      <Icon name={other === "dark" ? "moon" : "sun"} />
    </button>
  )
}
