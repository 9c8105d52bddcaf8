import { lstatSync, readlinkSync, statSync } from "node:fs"
import { dirname, sep } from "node:path"
import process from "node:process"

/**
 * How strongly a parsing process is isolated, strongest first. `namespaces`: no network, no other process, and of
 * the file system the code alone, all by the kernel. `network`: as that, but files only by Node and by the
 * user's rights. `user`: a user of its own. `runtime`: Node's permission model alone. `off`: nothing.
 */
export type SandboxLevel = "namespaces" | "network" | "user" | "runtime" | "off"

/** One way to start a process at a level. */
export interface Sandbox {
  readonly level: SandboxLevel
  /** In a user namespace of its own (`unshare --user`), or with the rights of root. */
  readonly userNamespace: boolean
}

/** The user of parsing processes where the server is root: `nobody`. */
const unprivilegedId = 65_534

const isRoot = process.getuid?.() === 0

/** Every way there is, strongest first: what works is found out by trying. */
export const sandboxes: ReadonlyArray<Sandbox> = [
  ...(process.platform === "linux" ? namespaces() : []),
  ...(isRoot && process.platform === "linux" ? [{ level: "user", userNamespace: false } as const] : []),
  { level: "runtime", userNamespace: false },
]

function namespaces(): ReadonlyArray<Sandbox> {
  const ways = isRoot ? [false, true] : [true]
  return (["namespaces", "network"] as const).flatMap((level) =>
    ways.map((userNamespace) => ({ level, userNamespace })),
  )
}

export const sandboxOff: Sandbox = { level: "off", userNamespace: false }

/** What Node itself forbids to JavaScript: files but those of code, programs, threads, add-ons. */
export const runtimeFlags = ({ level }: Sandbox, code: ReadonlyArray<string>): ReadonlyArray<string> =>
  level === "off"
    ? []
    : [
        "--permission",
        "--disable-sigusr1",
        ...code.map((path) => `--allow-fs-read=${isFolder(path) ? path + sep : path}`),
      ]

/**
 * The command that runs what follows it inside the sandbox. Each part replaces itself by the next, so that
 * the process that is started is the one that is bounded, or its parent in whose death it dies.
 */
export const sandboxCommand = (sandbox: Sandbox, code: ReadonlyArray<string>): ReadonlyArray<string> => {
  const drop = ["setpriv", "--no-new-privs", "--pdeathsig", "KILL"]
  const powerless = ["--bounding-set=-all", "--inh-caps=-all"]
  const id = String(unprivilegedId)
  const asOther = ["--reuid", id, "--regid", id, "--clear-groups"]
  const { level, userNamespace } = sandbox
  switch (level) {
    case "off":
      return []
    case "runtime":
      return process.platform === "linux" ? [...drop, "--"] : []
    case "user":
      return [...drop, ...asOther, ...powerless, "--"]
    case "network":
    case "namespaces": {
      const become = isRoot && userNamespace ? ["setpriv", ...asOther, "--pdeathsig", "KILL", "--"] : []
      const inside = [...drop, ...(isRoot && !userNamespace ? asOther : []), ...powerless, "--"]
      const user = userNamespace ? ["--user", "--map-root-user"] : []
      const apart = ["--net", "--pid", "--ipc", "--uts", "--fork", "--kill-child"]
      const enter =
        level === "namespaces"
          ? ["--mount", "sh", "-c", enterScript([process.execPath, ...code], userNamespace), "sh"]
          : []
      return [...become, "unshare", ...user, ...apart, ...enter, ...inside]
    }
  }
}

/**
 * Builds a read-only file system of the given paths and the system's libraries over `/sys`, where no code lies,
 * and makes it the root. What was mounted before is not there any more.
 */
const enterScript = (paths: ReadonlyArray<string>, userNamespace: boolean): string => {
  const libraries = ["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib"]
  const links = libraries.flatMap((path) => linkAt(path))
  const kept = [...libraries.filter(isFolder).filter((path) => linkAt(path).length === 0), ...paths]
  const mounted = kept.filter((path) => !kept.some((other) => path.startsWith(other + sep)))
  const folders = [...mounted.map((path) => (isFolder(path) ? path : dirname(path))), "/proc", "/bin"]
  const files = mounted.filter((path) => !isFolder(path))
  const bind = (from: string, to: string) => `mount -o bind,ro,nosuid,nodev ${from} ${to}`
  return [
    "set -eu",
    "setpriv=$(command -v setpriv); umount=$(command -v umount)",
    "mount -t tmpfs -o mode=0755,nosuid,nodev,size=1m tmpfs /sys",
    "cd /sys",
    `mkdir -p ${folders.map((path) => quoted(`/sys${path}`)).join(" ")}`,
    ...links.map(({ path, target }) => `ln -s ${quoted(target)} ${quoted(`/sys${path}`)}`),
    ...files.map((path) => `: > ${quoted(`/sys${path}`)}`),
    ": > /sys/bin/setpriv; : > /sys/bin/umount",
    ...mounted.map((path) => bind(quoted(path), quoted(`/sys${path}`))),
    bind('"$setpriv"', "/sys/bin/setpriv"),
    bind('"$umount"', "/sys/bin/umount"),
    "mount -t proc -o nosuid,nodev,noexec proc /sys/proc 2>/dev/null || true",
    // Counts in the user namespace that it is written in: never in that of the machine.
    ...(userNamespace ? ["(echo 0 > /proc/sys/user/max_user_namespaces) 2>/dev/null || true"] : []),
    "mount -o remount,bind,ro,nosuid,nodev /sys",
    "pivot_root . .",
    "PATH=/bin",
    "umount -l .",
    "cd /",
    'exec "$@"',
  ].join("\n")
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

const linkAt = (path: string): ReadonlyArray<{ readonly path: string; readonly target: string }> =>
  lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
    ? [{ path, target: readlinkSync(path) }]
    : []
