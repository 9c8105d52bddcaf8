import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { install, serve } from "../test/support/server.ts"
import { root } from "./workspace.ts"

/**
 * Draws `docs/images/first-minute.svg`, the animation on top of the README: `npm run first-minute`. What it shows is
 * what a server and the commands print now; the key is cut, and the address is the usual one.
 */
const target = join(root, "docs", "images", "first-minute.svg")
const usualUrl = "http://127.0.0.1:8787"

/** A command as it is typed, and what it prints. */
interface Scene {
  readonly typed: string
  readonly printed: ReadonlyArray<string>
}

/** Runs a server as `npm start` does, and the commands beside it. */
const record = async (): Promise<{ scenes: ReadonlyArray<Scene>; picture: Buffer }> => {
  const installation = await install()
  const config = await mkdtemp(join(tmpdir(), "atelier-login-"))
  delete installation.environment["ATELIER_ADMIN_TOKEN"]
  const server = await serve(installation, "dev")
  const plain = (output: string): ReadonlyArray<string> =>
    output
      .replaceAll(installation.url, usualUrl)
      .replaceAll(config, "~/.config")
      .replace(/(sk-atl-\w{6})[\w-]*/g, "$1…")
      .replace(/(Admin token {2}\w{6})\S*/g, "$1…")
      .replace(/(media\/\w{8})\w*/g, "$1…")
      .trim()
      .split("\n")
  const run = async (args: ReadonlyArray<string>, input = ""): Promise<ReadonlyArray<string>> => {
    const main = join(root, "packages/cli/src/main.ts")
    const child = spawn(process.execPath, ["--conditions=atelier:source", main, ...args], {
      cwd: installation.directory,
      env: { ...installation.environment, XDG_CONFIG_HOME: config },
    })
    child.stdin.end(input)
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")])
    if (child.exitCode !== 0) throw new Error(stderr)
    return plain(stderr + stdout)
  }
  try {
    const key = await readFile(join(installation.directory, "data", "dev-key"), "utf8")
    const welcome = plain(server.output()).slice(0, 6)
    const login = await run(["login", "--url", installation.url], key)
    const size = ["--size", "480x320"]
    const image = await run(["image", "A small boat on the open sea at dusk", ...size, "-o", "boat.png"])
    await writeFile(join(installation.directory, "minutes.md"), "# Minutes\n\nCall Ada on Monday.\n")
    const parse = await run(["parse", "minutes.md"])
    const tasks = await run(["tasks", "list"])
    return {
      scenes: [
        { typed: "npm ci && npm start", printed: welcome },
        { typed: `atelier login --url ${usualUrl} < data/dev-key`, printed: login.slice(0, 1) },
        {
          typed: 'atelier image "A small boat on the open sea at dusk" --size 480x320 -o boat.png',
          printed: image,
        },
        { typed: "atelier parse minutes.md", printed: parse },
        { typed: "atelier tasks list", printed: tasks },
      ],
      picture: await readFile(join(installation.directory, "boat.png")),
    }
  } finally {
    await server.end("SIGTERM")
    installation.remove()
    await rm(config, { recursive: true, force: true })
  }
}

const [width, left, top, line] = [880, 24, 68, 19]
const [typedSeconds, printedSeconds, pauseSeconds] = [0.035, 0.12, 0.8]
/** About the width of a character at 13 px. */
const characterWidth = 8

const escaped = (value: string): string =>
  value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

const shown = (value: string): string => (value.length > 104 ? `${value.slice(0, 103)}…` : value)

interface Frame {
  readonly svg: string
  readonly lines: number
  readonly seconds: number
}

/** Every line with the second at which it is there, and the end of the last one. */
const drawn = (scenes: ReadonlyArray<Scene>): Frame => {
  const parts: Array<string> = []
  let [lines, seconds] = [0, 0.4]
  const at = (indent = 0): string => `x="${left + indent}" y="${Math.round(top + lines * line)}"`
  for (const { typed, printed } of scenes) {
    const lasts = typed.length * typedSeconds
    const timing = `--at:${seconds.toFixed(2)}s;--lasts:${lasts.toFixed(2)}s`
    const style = `style="${timing};animation-timing-function:steps(${typed.length})"`
    parts.push(
      `<text ${at()} class="prompt line" style="--at:${(seconds - 0.3).toFixed(2)}s">$</text>`,
      `<text ${at(2 * characterWidth)} class="typed" ${style}>${escaped(typed)}</text>`,
    )
    seconds += lasts + 0.4
    lines += 1
    for (const each of printed) {
      parts.push(
        `<text ${at()} class="line" style="--at:${seconds.toFixed(2)}s">${escaped(shown(each))}</text>`,
      )
      seconds += printedSeconds
      lines += 1
    }
    seconds += pauseSeconds
    lines += 0.6
  }
  return { svg: parts.join("\n"), lines, seconds }
}

const animation = (scenes: ReadonlyArray<Scene>, picture: Buffer): string => {
  const { svg, lines } = drawn(scenes)
  const height = Math.ceil(top + lines * line)
  const made = drawn(scenes.slice(0, 3)).seconds - pauseSeconds
  const y = Math.round(top + (drawn(scenes.slice(0, 2)).lines + 0.4) * line)
  const place = `x="${width - 264}" y="${y}" width="240" height="160"`
  const said =
    "A terminal: the server is started, a picture and a document are made by the command line, and both tasks are listed with what they cost."
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" xml:space="preserve" role="img" aria-label="${said}">
<style>
svg{--ground:#fff;--line:#e7dfd6;--text:#1b1733;--muted:#6a6480;--accent:#6b3f7a}
@media (prefers-color-scheme:dark){svg{--ground:#1b1830;--line:#2e2a48;--text:#f3eee6;--muted:#a49dbd;--accent:#c79bd6}}
text{font:13px ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:var(--muted);white-space:pre}
.typed{fill:var(--text);font-weight:600;animation:type var(--lasts) var(--at) both}
.prompt{fill:var(--accent);font-weight:600}
.line,.picture{animation:show .1s var(--at) both}
@keyframes show{from{opacity:0}}
@keyframes type{from{clip-path:inset(0 100% 0 0)}to{clip-path:inset(0)}}
@media (prefers-reduced-motion:reduce){.typed,.line,.picture{animation:none}}
</style>
<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="8" fill="var(--ground)" stroke="var(--line)"/>
<g fill="var(--line)"><circle cx="26" cy="24" r="5"/><circle cx="44" cy="24" r="5"/><circle cx="62" cy="24" r="5"/></g>
${svg}
<g class="picture" style="--at:${made.toFixed(2)}s">
<image ${place} href="data:image/png;base64,${picture.toString("base64")}"/>
</g>
</svg>
`
}

const { scenes, picture } = await record()
await writeFile(target, animation(scenes, picture))
console.log(target)
