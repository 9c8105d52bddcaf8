import { render } from "preact"
import "./style.css"
import { Account } from "./pages/Account.tsx"
import { applyTheme } from "./parts/Theme.tsx"

applyTheme()
const place = document.getElementById("app")
if (place !== null) render(<Account />, place)
