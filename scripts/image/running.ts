import { spawnSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"

interface Step {
  readonly name: string
  readonly text: string
}

/** What a customer and an operator do first, inside the image: a program of Node without dependencies. */
const visitor = `
const url = "http://127.0.0.1:8787"
const call = async (path, token, body) => {
  const answer = await fetch(url + path, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: "Bearer " + token, "content-type": "application/json" },
    body: body && JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(path + ": " + answer.status + " " + (await answer.text()))
  return answer.json()
}
const admin = process.env.ATELIER_ADMIN_TOKEN
const user = await call("/admin/v1/users", admin, { name: "Ada", balance_usd: 1 })
const { key } = await call("/admin/v1/users/" + user.id + "/keys", admin, {})
const image = await call("/v1/images/generations", key, { model: "gen-image-2", prompt: "a heron", size: "256x256", quality: "low" })
const bytes = (await (await fetch(url + new URL(image.data[0].url).pathname)).arrayBuffer()).byteLength
const form = new FormData()
form.append("file", new Blob(["<h1>Title</h1><p>Words.</p>"]), "page.html")
const sent = await fetch(url + "/v1/tools/file-md-json/files", { method: "POST", headers: { authorization: "Bearer " + key }, body: form })
const file = await sent.json()
const invoked = await fetch(url + "/v1/tools/file-md-json/invoke", {
  method: "POST",
  headers: { authorization: "Bearer " + key, "content-type": "application/json", "idempotency-key": "image-0001" },
  body: JSON.stringify({ input: { file_id: file.id } }),
})
const task = await invoked.json()
const done = await call("/v1/tasks/" + task.id + "?wait=30", key)
console.log("an image of " + bytes + " bytes; a document: " + done.status)
`

/** The value of an instruction in its list form. */
const listIn = (steps: ReadonlyArray<Step>, name: string): ReadonlyArray<string> => {
  const text = steps.find((step) => step.name === name)?.text ?? "[]"
  return JSON.parse(text.slice(text.indexOf("[")))
}

const quoted = (words: ReadonlyArray<string>): string =>
  words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ")

/**
 * Runs the image: its root read-only but for the volume and `/tmp`, as its user, without capabilities, with a loopback
 * of its own. Answers what was seen, in rows; throws where a step fails.
 */
export const runningImage = (
  image: string,
  steps: ReadonlyArray<Step>,
  folder: string,
): ReadonlyArray<readonly [name: string, value: string]> => {
  const textOf = (name: string) => steps.findLast((step) => step.name === name)?.text ?? ""
  const [user = "", group = user] = textOf("USER").split(":")
  const volume = join(folder, "volume")
  mkdirSync(volume)
  spawnSync("chown", [`${user}:${group}`, volume])
  writeFileSync(join(image, "visitor.mjs"), visitor)
  const environment = [
    "PATH=/usr/local/bin:/usr/bin:/bin",
    "ATELIER_ADMIN_TOKEN=of-the-image-that-is-tried",
    ...[...textOf("ENV").matchAll(/(\w+)=(\S+)/g)].map(([pair]) => pair),
  ]
  const inside = (words: ReadonlyArray<string>) =>
    quoted([
      ...["chroot", image, "setpriv", "--reuid", user, "--regid", group, "--clear-groups"],
      ...["--no-new-privs", "--bounding-set=-all", "--inh-caps=-all"],
      ...["env", "-i", "-C", textOf("WORKDIR"), ...environment],
      ...words,
    ])
  const main = listIn(steps, "ENTRYPOINT")
  const script = `set -eu
ip link set lo up
mount --bind ${quoted([image])} ${quoted([image])}
mount -o remount,bind,ro ${quoted([image])}
mount --bind ${quoted([volume])} ${quoted([join(image, textOf("VOLUME"))])}
mount -t tmpfs tmpfs ${quoted([join(image, "tmp")])}
chmod 1777 ${quoted([join(image, "tmp")])}
mount -t proc proc ${quoted([join(image, "proc")])}
mount -t tmpfs tmpfs ${quoted([join(image, "dev")])}
for device in null zero random urandom; do touch ${quoted([join(image, "dev")])}/$device; mount --bind /dev/$device ${quoted([join(image, "dev")])}/$device; done
${inside([...main, ...listIn(steps, "CMD")])} > ${quoted([join(folder, "log")])} 2>&1 &
server=$!
for try in $(seq 60); do
  if ${inside(listIn(steps, "HEALTHCHECK"))}; then healthy=$try; break; fi
  sleep 0.5
done
echo "health check: healthy at try $healthy"
echo "written to the root: $(${inside(["sh", "-c", "for place in / /app /usr /etc /home /var; do touch $place/probe 2>/dev/null && echo $place; done; echo nothing"])} | head -1)"
echo "user, group, capabilities: $(${inside(["sh", "-c", "id -u; id -g; grep CapBnd /proc/self/status | cut -f2"])} | tr '\\n' ' ')"
echo "visit: $(${inside(["node", "/visitor.mjs"])})"
echo "doctor: $(${inside([...main, "doctor"])} | sed 's/ *$/;/' | tr '\\n' ' ')"
kill -TERM $server
code=0; wait $server || code=$?
echo "end: exit code $code after SIGTERM"`
  const { stdout, stderr, status } = spawnSync(
    "unshare",
    ["--mount", "--net", "--pid", "--fork", "sh", "-c", script],
    { encoding: "utf8" },
  )
  if (status !== 0) {
    const { stdout: log } = spawnSync("tail", ["-20", join(folder, "log")], { encoding: "utf8" })
    throw new Error(`the image does not run: ${stdout}${stderr}${log}`)
  }
  const rows = stdout
    .trim()
    .split("\n")
    .map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()] as const)
  const written = rows.find(([name]) => name === "written to the root")?.[1]
  if (written !== "nothing") throw new Error(`the root can be written: ${written}`)
  return rows
}
