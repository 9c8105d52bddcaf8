import { type SpawnSyncReturns, spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { cpus, homedir, tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { runningImage } from "./image/running.ts"
import { root } from "./workspace.ts"

/**
 * `npm run image`: runs the steps of `deploy/Dockerfile` without a container engine, then the image as an orchestrator
 * does, and writes what came out to `benchmarks/results/image.md`. It takes some minutes.
 *
 * The base image is a minimal Debian of the same release, made by debootstrap, with the Node of this checkout; each
 * step runs in a root of its own by `chroot`. So it needs root, debootstrap and a package mirror, and says so. With
 * `--root FOLDER` it takes the minimal Debian from there, with `--twice` it builds twice and compares the files.
 */

interface Step {
  readonly name: string
  readonly text: string
}

/** The instructions of the file, by stage; continued lines are joined. */
export const stagesOf = (dockerfile: string): ReadonlyArray<ReadonlyArray<Step>> => {
  const lines = dockerfile
    .replaceAll(/^#.*\n/gm, "")
    .replaceAll(/\\\n\s*/g, "")
    .split("\n")
    .filter((line) => line !== "")
  const steps = lines.map((line) => {
    const [, name = "", text = ""] = /^(\w+) +(.*)$/.exec(line) ?? []
    return { name, text }
  })
  return steps.reduce<Array<Array<Step>>>((stages, step) => {
    if (step.name === "FROM") stages.push([])
    stages.at(-1)?.push(step)
    return stages
  }, [])
}

const require = (result: SpawnSyncReturns<string>, what: string): string => {
  if (result.status !== 0)
    throw new Error(`${what} failed: ${result.stdout}${result.stderr}${result.error ?? ""}`)
  return result.stdout
}
const command = (...[file = "", ...args]: ReadonlyArray<string>): string =>
  require(spawnSync(file, args, { encoding: "utf8", maxBuffer: 2 ** 28 }), [file, ...args].join(" "))

/** A minimal Debian with Node, npm where it is needed, and the user that the base image has. */
const baseOf = (debian: string, into: string, withNpm: boolean): void => {
  command("cp", "-a", debian, into)
  cpSync(process.execPath, join(into, "usr/local/bin/node"))
  writeFileSync(
    join(into, "etc/passwd"),
    `${readFileSync(join(into, "etc/passwd"), "utf8")}node:x:1000:1000::/home/node:/bin/sh\n`,
  )
  if (!withNpm) return
  const npm = command("npm", "root", "--global").trim()
  command("cp", "-a", join(npm, "npm"), join(into, "usr/local/lib/npm"))
  command("ln", "-s", "../lib/npm/bin/npm-cli.js", join(into, "usr/local/bin/npm"))
  // How packages are fetched here: names of mirrors and their certificates, which no stage keeps.
  for (const file of ["/etc/resolv.conf", "/etc/hosts", "/etc/ssl/certs/ca-certificates.crt"]) {
    if (!existsSync(file)) continue
    mkdirSync(dirname(join(into, file)), { recursive: true })
    command("cp", "-L", file, join(into, file))
  }
  const npmrc = command("npm", "config", "get", "globalconfig").trim()
  if (existsSync(npmrc)) writeFileSync(join(into, "root/.npmrc"), readFileSync(npmrc))
}

const fetching = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      /^(https?_proxy|no_proxy|npm_config_(registry|cafile)|NODE_EXTRA_CA_CERTS)$/i.test(name) &&
      value !== undefined
        ? [[name, value]]
        : [],
    ),
  )

/** Takes the steps of one stage in turn; `COPY --from` takes from the stage before. */
const buildStage = (steps: ReadonlyArray<Step>, into: string, before: string, commit: string): void => {
  let folder = "/"
  for (const { name, text } of steps) {
    if (name === "WORKDIR") {
      folder = text
      mkdirSync(join(into, folder), { recursive: true })
    }
    if (name === "COPY") {
      const from = /^--from=\w+ (\S+) (\S+)$/.exec(text)
      const [, source = ""] = from ?? []
      const target = join(into, folder, from?.[2] ?? ".")
      if (from === null) command("sh", "-c", `git -C '${root}' archive ${commit} | tar -x -C '${target}'`)
      else command("cp", "-a", join(before, source), target)
    }
    if (name === "RUN") {
      const env = { PATH: "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", HOME: "/root", ...fetching() }
      // Programs find themselves by /proc; what npm has fetched before is not fetched again.
      const cache = join(homedir(), ".npm")
      mkdirSync(join(into, "root/.npm"), { recursive: true })
      const mounts = [`mount -t proc proc '${into}/proc'`]
      if (existsSync(cache)) mounts.push(`mount --bind '${cache}' '${into}/root/.npm'`)
      const script = `${mounts.join(" && ")} && exec chroot '${into}' sh -ec "$0"`
      const args = ["--mount", "sh", "-c", script, `cd ${folder}; ${text}`]
      require(spawnSync("unshare", args, { encoding: "utf8", env, maxBuffer: 2 ** 28 }), text)
    }
  }
}

interface Content {
  /** The digest of each file by its path. */
  readonly files: ReadonlyMap<string, string>
  /** That of all. */
  readonly digest: string
  readonly bytes: number
}

/** What lies below a folder, by path and content: times and their order do not count. */
const contentOf = (folder: string): Content => {
  const files = new Map<string, string>()
  let bytes = 0
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted()
  for (const name of names) {
    const path = join(folder, name)
    const stat = lstatSync(path)
    if (stat.isDirectory()) continue
    const content = stat.isSymbolicLink() ? readlinkSync(path) : readFileSync(path)
    files.set(name, `${stat.mode} ${createHash("sha256").update(content).digest("hex")}`)
    bytes += stat.size
  }
  const all = createHash("sha256").update(JSON.stringify([...files]))
  return { files, digest: all.digest("hex").slice(0, 16), bytes }
}

/** Files that only one of two builds has, or that differ. */
const differences = (one: Content, other: Content): ReadonlyArray<string> =>
  [...new Set([...one.files.keys(), ...other.files.keys()])].filter(
    (name) => one.files.get(name) !== other.files.get(name),
  )

/** Builds the image; answers the root of its last stage. */
const build = (
  stages: ReadonlyArray<ReadonlyArray<Step>>,
  debian: string,
  folder: string,
  commit: string,
): string => {
  mkdirSync(folder)
  return stages.reduce<string>((before, steps, index) => {
    const into = join(folder, `stage${index}`)
    baseOf(debian, into, index < stages.length - 1)
    buildStage(steps, into, before, commit)
    if (before !== "") rmSync(before, { recursive: true })
    return into
  }, "")
}

const mebibytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(0)

const main = (): void => {
  if (process.getuid?.() !== 0) throw new Error("it needs root: for debootstrap, chroot and mounts")
  const folder = mkdtempSync(join(tmpdir(), "atelier-image-"))
  const given = process.argv.indexOf("--root")
  const debian = given > 0 ? (process.argv[given + 1] ?? "") : join(folder, "debian")
  try {
    if (given < 0) command("debootstrap", "--variant=minbase", "bookworm", debian)
    // A commit that is made meanwhile is of neither build.
    const commit = command("git", "-C", root, "rev-parse", "HEAD").trim()
    const stages = stagesOf(readFileSync(join(root, "deploy/Dockerfile"), "utf8"))
    const builds = (process.argv.includes("--twice") ? ["first", "second"] : ["first"]).map((name) => {
      const began = performance.now()
      const image = build(stages, debian, join(folder, name), commit)
      return { image, seconds: (performance.now() - began) / 1000, app: contentOf(join(image, "app")) }
    })
    const [first, second = first] = builds
    if (first === undefined || second === undefined) throw new Error("nothing was built")
    const lines = runningImage(first.image, stages.at(-1) ?? [], folder)
    const digests = new Set(builds.map(({ app }) => app.digest))
    const other = differences(first.app, second.app)
    if (other.length > 0) console.error(`the builds differ in:\n${other.join("\n")}`)
    const text = [
      "# The image",
      "",
      "What `npm run image` says: the steps of [`deploy/Dockerfile`](../../deploy/Dockerfile) in a minimal Debian 12 made by debootstrap, with the Node of this repository in place of that of the base image, and then the image without root, capabilities or a root folder that can be written. No container engine took part.",
      "",
      "| | |",
      "| --- | --- |",
      `| measured | ${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${cpus().length} processors |`,
      `| \`/app\` | ${first.app.files.size} files, ${mebibytes(first.app.bytes)} MiB, SHA-256 of all ${[...digests].join(" and ")} |`,
      `| built in | ${builds.map(({ seconds }) => `${seconds.toFixed(0)} s`).join(", ")}${builds.length > 1 ? `: ${other.length === 0 ? "the same files, byte by byte" : `${other.length} files differ`}` : ""} |`,
      ...lines.map(([name, value]) => `| ${name} | ${value} |`),
      "",
    ]
    writeFileSync(join(root, "benchmarks/results/image.md"), text.join("\n"))
    console.log(text.join("\n"))
    if (other.length > 0) process.exitCode = 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

try {
  main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
