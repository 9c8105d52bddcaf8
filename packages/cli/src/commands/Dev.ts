import { mkdir, readFile, rename, writeFile } from "node:fs/promises"
import { dirname, join, relative } from "node:path"
import { Access, Admin, KeyStore, SecretBox, usd } from "@atelier/core"
import * as Console from "effect/Console"
import { layerWebCrypto, SecureRandom } from "effect/crypto/SecureRandom"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Base64Url from "effect/encoding/Base64Url"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { CommandFailed } from "../CommandFailed.ts"
import { everything } from "../Role.ts"
import * as Settings from "../Settings.ts"

/** contract, Running it: the wallet of the user that `dev` makes. */
const walletUsd = "10"
const keyFile = "dev-key"
const adminTokenFile = "dev-admin-token"
const webhookSecretFile = "dev-webhook-secret"

/**
 * Runs the server for a first look. On an empty database it makes a user and a key. The key, and an admin token where
 * none is set, are kept in files that only this account can read, so that what is printed holds after a restart.
 * Both are there before the server answers.
 */
export const dev = Effect.gen(function* () {
  const given = yield* Settings.load(process.env)
  const { runServer } = yield* Effect.promise(() => import("../Server.ts"))
  const directory = Settings.dataDirectory(given)
  const adminToken = given.adminToken ?? (yield* keptAdminToken(join(directory, adminTokenFile)))
  const settings: Settings.Settings = { ...given, adminToken }
  const made = yield* Deferred.make<Made | undefined>()
  yield* runServer(settings, {
    duties: everything,
    testImage: true,
    loopbackCallbacks: true,
    pretty: true,
    prepare: Effect.flatMap(developerKey(directory), (key) => Deferred.succeed(made, key)),
    ready: ({ url }) =>
      Effect.flatMap(Deferred.await(made), (made) =>
        Console.log(welcome(url, made, Redacted.value(adminToken), settings).join("\n")),
      ),
  })
})

/** The token of the first start. */
const keptAdminToken = Effect.fnUntraced(function* (file: string) {
  const kept = yield* readSecret(file)
  if (kept !== "") return Redacted.make(kept)
  const random = yield* SecureRandom
  const token = Base64Url.encode(yield* random.randomBytes(24))
  yield* keepSecret(file, token)
  return Redacted.make(token)
}, Effect.provide(layerWebCrypto))

/** The key that callers try the server with, and the secret that its callbacks are signed with. */
interface Made {
  readonly key: string
  readonly webhookSecret: string
}

/** The key of the first start; undefined where the database was not created by `dev`, or the file is gone. */
const developerKey = Effect.fnUntraced(function* (directory: string) {
  const access = yield* Access
  const keys = yield* KeyStore
  const box = yield* SecretBox
  const file = join(directory, keyFile)
  const key = (yield* keys.isEmpty) ? yield* makeKey(file) : yield* readSecret(file)
  const found = yield* Effect.option(access.authenticate(key, null))
  if (Option.isNone(found)) return undefined
  const { id, webhookSecret: stored } = found.value.key
  const webhookSecret = yield* Effect.orElseSucceed(box.open(stored, id), () => "")
  yield* keepSecret(join(directory, webhookSecretFile), webhookSecret)
  return { key, webhookSecret }
})

const makeKey = Effect.fnUntraced(function* (file: string) {
  const admin = yield* Admin
  const { user } = yield* admin.createUser({ name: "dev", balanceUsd: usd(walletUsd) })
  const { secret } = yield* admin.createKey(user.id, { name: "dev" })
  yield* keepSecret(file, secret)
  return secret
})

/** Empty where there is no such file. */
const readSecret = (file: string) =>
  Effect.promise(() =>
    readFile(file, "utf8").then(
      (text) => text.trim(),
      () => "",
    ),
  )

/** Whole or not at all, for this account alone. */
const keepSecret = (file: string, secret: string) =>
  Effect.tryPromise({
    try: async () => {
      await mkdir(dirname(file), { recursive: true })
      const arriving = `${file}.${process.pid}`
      await writeFile(arriving, `${secret}\n`, { mode: 0o600 })
      await rename(arriving, file)
    },
    catch: (cause) => new CommandFailed({ message: `cannot write ${file}: ${String(cause)}` }),
  })

const welcome = (
  url: string,
  made: Made | undefined,
  adminToken: string,
  settings: Settings.Settings,
): ReadonlyArray<string> => [
  "",
  `Atelier is ready at ${url}`,
  "",
  `  API docs        ${url}/docs`,
  `  Console         ${url}/console`,
  `  Admin token     ${adminToken}`,
  ...(made === undefined
    ? ["  API key         make one: npm run --silent atelier -- users list, then keys create USER", ""]
    : [
        `  API key         ${made.key}`,
        `                  (${walletUsd} USD at first; kept in ${join(relative(process.cwd(), Settings.dataDirectory(settings)), keyFile)})`,
        `  Webhook secret  ${made.webhookSecret}`,
        "                  (of that key; callbacks may go to http://localhost: atelier listen)",
        "",
        "Make an image, and see the task with the address of the picture:",
        "",
        `  ${imageLine(url, made.key)}`,
        "",
        "Parse a document, and see its Markdown:",
        "",
        `  ${documentLine(url, made.key)}`,
        "",
        "The model test-image is free and does what its prompt asks: [fail], [reject], [slow 3s], [partial 2],",
        "[drop], [archive-fail 2].",
        "",
      ]),
]

/** Submits, takes the task's id out of the answer, and waits for the task. */
const imageLine = (url: string, key: string): string =>
  [
    `curl -s ${url}/v1/images/tasks ${bearer(key)} ${jsonType}`,
    `-d '{"model":"gen-image-2","prompt":"a lighthouse at dusk"}'`,
    `| ${first("imgtask")} | xargs -I ID curl -s '${url}/v1/tasks/ID?wait=30' ${bearer(key)}`,
  ].join(onward)

/** Uploads, invokes the tool on the file, waits for the task, and downloads its result. */
const documentLine = (url: string, key: string): string =>
  [
    `printf '# Hello\\n\\nA first document.\\n'`,
    `| curl -s ${url}/v1/tools/text-md-json/files ${bearer(key)} -F 'file=@-;filename=hello.md'`,
    `| ${first("toolfile")} | xargs -I FILE curl -s ${url}/v1/tools/text-md-json/invoke ${bearer(key)}`,
    `${jsonType} -H 'Idempotency-Key: FILE' -d '{"input":{"file_id":"FILE"}}'`,
    `| ${first("tooltask")} | xargs -I TASK curl -s '${url}/v1/tasks/TASK?wait=30' ${bearer(key)}`,
    `| ${first("tooltask")} | xargs -I TASK curl -s ${url}/v1/tasks/TASK/result ${bearer(key)}`,
  ].join(onward)

/** One command over several lines, as a shell takes it. */
const onward = " \\\n    "

const bearer = (key: string): string => `-H 'Authorization: Bearer ${key}'`
const jsonType = "-H 'Content-Type: application/json'"
const first = (prefix: string): string => `grep -o '${prefix}_[0-9a-z]*' | head -n 1`
