import { createHash } from "node:crypto"
import * as HttpServerResponse from "effect/http/HttpServerResponse"

type Place = readonly [path: string, name: string, about: string]

const consolePlace: Place = ["/console", "Console", "for operators: tasks, customers, money and channels"]

/** Where the page leads: path, name, and what is there. */
const places: ReadonlyArray<Place> = [
  ["/docs", "API reference", "every endpoint, its fields and its errors"],
  ["/openapi.json", "OpenAPI document", "the same for machines"],
  ["/readyz", "Readiness", "whether storage answers and takes writes"],
  ["/healthz", "Liveness", "whether the process lives"],
]

const style = `
:root { color-scheme: light dark; --ground: #fbf8f4; --raised: #ffffff; --line: #e7dfd6; --text: #1b1733;
  --muted: #6a6480; --accent: #6b3f7a; --well: #2f6b4f; --unwell: #b3374f }
@media (prefers-color-scheme: dark) {
  :root { --ground: #12101f; --raised: #1b1830; --line: #2e2a48; --text: #f3eee6; --muted: #a49dbd;
    --accent: #c79bd6; --well: #7fc4a1; --unwell: #f08a9c }
}
* { box-sizing: border-box }
body { margin: 0; padding: 64px 24px; background: var(--ground); color: var(--text);
  font: 16px/26px Manrope, system-ui, sans-serif }
main { max-width: 560px; margin: 0 auto }
h1 { display: flex; gap: 14px; align-items: center; margin: 0;
  font: 400 40px/48px "Instrument Serif", Georgia, serif }
rect { fill: var(--accent) }
path { fill: none; stroke: var(--ground); stroke-width: 2.6; stroke-linecap: round; stroke-linejoin: round }
p { margin: 8px 0 24px; color: var(--muted) }
.state { display: block; font-weight: 600 }
.well { color: var(--well) }
.unwell { color: var(--unwell) }
ul { margin: 0; padding: 0; list-style: none; background: var(--raised); border: 1px solid var(--line);
  border-radius: 8px }
li + li { border-top: 1px solid var(--line) }
a { display: block; padding: 12px 16px; border-radius: 8px; color: var(--accent); text-decoration: none;
  font-weight: 600 }
a:hover { text-decoration: underline }
a:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px }
a span { display: block; color: var(--muted); font: 14px/20px Manrope, system-ui, sans-serif }
`

/** The page asks for nothing else, runs nothing, and has no style but its own. */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ")

const mark =
  '<svg viewBox="0 0 32 32" width="36" height="36" aria-hidden="true"><rect width="32" height="32" rx="8"/><path d="M8 23 16 8l8 15M11.5 17.5h9"/></svg>'

const page = (state: string, places: ReadonlyArray<Place>): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Atelier</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${mark}Atelier</h1>
<p>Image generation and document parsing as paid tasks, behind one API key. ${state}</p>
<ul>
${places.map(([path, name, about]) => `<li><a href="${path}">${name}<span>${about}</span></a></li>`).join("\n")}
</ul>
</main>
</body>
</html>
`

const well = `<span class="state well">✓ Ready</span>`
const unwell = `<span class="state unwell">✕ Not ready</span>`

/**
 * contract, Endpoints and commands: `GET /`, a small page that leads on, and says whether the service is ready.
 * `hasConsole`: whether the console is on.
 */
export const makeHome = (hasConsole: boolean) => {
  const leading = hasConsole ? [consolePlace, ...places] : places
  const [ready, unready] = [page(well, leading), page(unwell, leading)]
  return (isReady: boolean): HttpServerResponse.HttpServerResponse =>
    HttpServerResponse.text(isReady ? ready : unready, {
      contentType: "text/html; charset=utf-8",
      headers: { "content-security-policy": policy },
    })
}
