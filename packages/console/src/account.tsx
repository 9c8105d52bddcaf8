import { render } from "preact"
import "./style.css"
import { copyExactTimes } from "./lib/copyExactTimes.ts"
import { Account } from "./pages/Account.tsx"
import { applyTheme } from "./parts/Theme.tsx"

applyTheme()
copyExactTimes()
const place = document.getElementById("app")
if (place !== null) render(<Account />, place)
