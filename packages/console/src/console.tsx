import { render } from "preact"
import "./style.css"
import { App } from "./App.tsx"
import { copyExactTimes } from "./lib/copyExactTimes.ts"
import { followLinks, setBase } from "./lib/router.ts"
import { applyTheme } from "./parts/Theme.tsx"

applyTheme()
copyExactTimes()
setBase("/console")
followLinks()
const place = document.getElementById("app")
if (place !== null) render(<App />, place)
