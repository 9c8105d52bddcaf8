import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { callerCommands } from "./CallerCommands.ts"
import { json, lazily, optionalText, target } from "./flags.ts"
import { operatorCommands } from "./OperatorCommands.ts"

/** The command tree: what callers and operators do from a shell. */

const user = Argument.String("user").pipe(Argument.withDescription("User id (usr_…)"))
const keyId = Argument.String("key").pipe(Argument.withDescription("Key id (key_…)"))
const overlapSeconds = Flag.Int("overlap-seconds").pipe(
  Flag.withDescription("How long the secret before stays good; else 24 hours, for admin tokens not at all"),
  Flag.optional,
)
const serve = Command.make(
  "serve",
  {
    role: Flag.Literals("role", ["all", "api", "worker"]).pipe(
      Flag.withDescription("api answers requests, worker runs jobs, all does both"),
      Flag.withDefault("all" as const),
    ),
    kinds: optionalText("kinds", "Kinds of tasks whose jobs it runs, by comma: image, tool; else all"),
  },
  ({ role, kinds }) =>
    lazily(
      () => Promise.all([import("./commands/Serve.ts"), import("./Role.ts")]),
      ([{ serve }, { dutiesOf }]) => Effect.flatMap(dutiesOf(role, Option.getOrUndefined(kinds)), serve),
    ),
).pipe(Command.withDescription("Run the server; its settings are environment variables (ATELIER_*)"))

const dev = Command.make("dev", {}, () =>
  lazily(
    () => import("./commands/Dev.ts"),
    ({ dev }) => dev,
  ),
).pipe(Command.withDescription("Run the server for a first look: with a user, a key and a test model"))

const migrate = Command.make(
  "migrate",
  {
    from: optionalText("from", "Database to move everything from: sqlite:PATH"),
    to: optionalText("to", "Database to move everything to: postgres://USER:PASSWORD@HOST:PORT/DATABASE"),
    fromBlobs: optionalText("from-blobs", "Blobs of the source; else ATELIER_BLOB_URL"),
    toBlobs: optionalText("to-blobs", "Where to copy the blobs; else they stay where they are"),
  },
  (input) =>
    lazily(
      () => import("./commands/Migrate.ts"),
      ({ migrate }) => migrate(input),
    ),
).pipe(
  Command.withDescription(
    "Make the database, or bring it to this version; with --from and --to, move everything to another one",
  ),
)

const doctor = Command.make(
  "doctor",
  {
    backup: optionalText(
      "backup",
      "Check this folder, which atelier backup wrote, in place of the installation",
    ),
    json,
  },
  (input) =>
    lazily(
      () => import("./commands/Doctor.ts"),
      ({ doctor, doctorOfBackup }) =>
        Option.isSome(input.backup)
          ? doctorOfBackup({ folder: input.backup.value, json: input.json })
          : doctor(input),
    ),
).pipe(Command.withDescription("Check settings, storage, ledger, blobs and parsing; or a backup"))

const usersModule = () => import("./commands/Users.ts")
const grant = Command.make(
  "grant",
  {
    user,
    usd: Argument.String("usd").pipe(Argument.withDescription("US dollars, such as 10 or 0.50")),
    reason: Flag.String("reason").pipe(
      Flag.withDescription("Why, for the ledger and the audit log"),
      Flag.withDefault("granted by the operator"),
    ),
    json,
  },
  (input) => lazily(usersModule, ({ grant }) => grant(input)),
).pipe(Command.withDescription("Put money into a user's wallet"))
const users = Command.make("users").pipe(
  Command.withDescription("Users and their money, directly on the database"),
  Command.withSubcommands([
    Command.make(
      "create",
      {
        name: Argument.String("name"),
        usd: optionalText("usd", "Opening balance in US dollars, such as 10 or 0.50"),
        json,
      },
      (input) => lazily(usersModule, ({ create }) => create(input)),
    ).pipe(Command.withDescription("Create a user")),
    Command.make("list", { json }, (input) => lazily(usersModule, ({ list }) => list(input))).pipe(
      Command.withDescription("List users, newest first"),
    ),
    Command.make("show", { user, json }, (input) => lazily(usersModule, ({ get }) => get(input))).pipe(
      Command.withDescription("Show a user and the wallet"),
    ),
    grant,
    Command.make("disable", { user, json }, (input) =>
      lazily(usersModule, ({ setDisabled }) => setDisabled({ ...input, disabled: true })),
    ).pipe(Command.withDescription("Disable a user: every request is refused")),
    Command.make("enable", { user, json }, (input) =>
      lazily(usersModule, ({ setDisabled }) => setDisabled({ ...input, disabled: false })),
    ).pipe(Command.withDescription("Enable a user again")),
  ]),
)

const keysModule = () => import("./commands/Keys.ts")
const keys = Command.make("keys").pipe(
  Command.withDescription("API keys, directly on the database"),
  Command.withSubcommands([
    Command.make(
      "create",
      {
        user,
        name: Flag.String("name").pipe(Flag.withDescription("A name to know it by"), Flag.withDefault("")),
        models: optionalText("models", "Model ids or globs that it may use, by comma; else all"),
        tools: optionalText("tools", "Tool ids that it may use, by comma; else all"),
        ips: optionalText("ips", "Addresses or CIDR ranges that it may be used from, by comma; else all"),
        quotaUsd: optionalText("quota-usd", "The most that it may spend, in US dollars"),
        ratePerMinute: Flag.Int("rate-per-minute").pipe(
          Flag.withDescription("Requests a minute"),
          Flag.optional,
        ),
        json,
      },
      (input) => lazily(keysModule, ({ create }) => create(input)),
    ).pipe(Command.withDescription("Create a key and print it, this once")),
    Command.make("list", { user, json }, (input) => lazily(keysModule, ({ list }) => list(input))).pipe(
      Command.withDescription("List a user's keys"),
    ),
    Command.make("disable", { key: keyId, json }, (input) =>
      lazily(keysModule, ({ setDisabled }) => setDisabled({ ...input, disabled: true })),
    ).pipe(Command.withDescription("Disable a key")),
    Command.make("enable", { key: keyId, json }, (input) =>
      lazily(keysModule, ({ setDisabled }) => setDisabled({ ...input, disabled: false })),
    ).pipe(Command.withDescription("Enable a key again")),
    Command.make("rotate", { key: keyId, overlapSeconds, json }, (input) =>
      lazily(keysModule, ({ rotate }) => rotate(input)),
    ).pipe(
      Command.withDescription("Print a new secret for a key, this once; the old one stays good a while"),
    ),
    Command.make("seal", { json }, (input) => lazily(keysModule, ({ seal }) => seal(input))).pipe(
      Command.withDescription("Encrypt every webhook secret with the first key of ATELIER_SECRET_KEY"),
    ),
    Command.make("rotate-webhook-secret", { key: keyId, overlapSeconds, json }, (input) =>
      lazily(keysModule, ({ rotateWebhookSecret }) => rotateWebhookSecret(input)),
    ).pipe(Command.withDescription("Print a new webhook secret for a key, this once; both sign for a while")),
  ]),
)

const tokensModule = () => import("./commands/Tokens.ts")
const tokenId = Argument.String("token").pipe(Argument.withDescription("Admin token id (adm_…)"))
const tokens = Command.make("tokens").pipe(
  Command.withDescription("Admin tokens, directly on the database"),
  Command.withSubcommands([
    Command.make(
      "create",
      {
        name: Argument.String("name"),
        role: Flag.Literals("role", ["owner", "support", "read"]).pipe(
          Flag.withDescription("owner: everything; support: reads, grants, cancels; read: only reads"),
        ),
        expiresInDays: Flag.Int("expires-in-days").pipe(
          Flag.withDescription("Days until it expires; else never"),
          Flag.optional,
        ),
        json,
      },
      (input) => lazily(tokensModule, ({ create }) => create(input)),
    ).pipe(Command.withDescription("Create an admin token and print it, this once")),
    Command.make("list", { json }, (input) => lazily(tokensModule, ({ list }) => list(input))).pipe(
      Command.withDescription("List admin tokens, newest first"),
    ),
    Command.make("rotate", { token: tokenId, overlapSeconds, json }, (input) =>
      lazily(tokensModule, ({ rotate }) => rotate(input)),
    ).pipe(Command.withDescription("Print a new secret for an admin token, this once; the old one is void")),
    Command.make("disable", { token: tokenId, json }, (input) =>
      lazily(tokensModule, ({ setDisabled }) => setDisabled({ ...input, disabled: true })),
    ).pipe(Command.withDescription("Disable an admin token")),
    Command.make("enable", { token: tokenId, json }, (input) =>
      lazily(tokensModule, ({ setDisabled }) => setDisabled({ ...input, disabled: false })),
    ).pipe(Command.withDescription("Enable an admin token again")),
  ]),
)

const audit = Command.make(
  "audit",
  {
    limit: Flag.Int("limit").pipe(Flag.withDescription("Entries"), Flag.withDefault(20)),
    actor: optionalText("actor", "Only what this credential did (adm_…, ATELIER_ADMIN_TOKEN, command)"),
    target: optionalText("target", "Only what was done to this (usr_…, key_…, …)"),
    requestId: optionalText("request-id", "Only what this request did"),
    json,
  },
  (input) =>
    lazily(
      () => import("./commands/Audit.ts"),
      ({ audit }) => audit(input),
    ),
).pipe(Command.withDescription("Show what operators changed and were refused, newest first"))

const mcp = Command.make(
  "mcp",
  {
    ...target,
    maxCostUsd: optionalText("max-cost-usd", "The most that its calls may cost in all, in US dollars"),
  },
  (input) =>
    lazily(
      () => import("./commands/Mcp.ts"),
      ({ mcp }) => mcp(input),
    ),
).pipe(Command.withDescription("Serve MCP on standard input and output, for clients that start a program"))

const scaffolding = (kind: "executor" | "adapter", description: string) =>
  Command.make(kind, { name: Argument.String("name") }, ({ name }) =>
    lazily(
      () => import("./commands/New.ts"),
      ({ scaffold }) => scaffold({ kind, name }),
    ),
  ).pipe(Command.withDescription(description))

const create = Command.make("new").pipe(
  Command.withDescription("Begin a plugin, in a folder below this one"),
  Command.withSubcommands([
    scaffolding("executor", "A document tool, with its test"),
    scaffolding("adapter", "An adapter of an image vendor, with its test"),
  ]),
)

export const atelier = Command.make("atelier").pipe(
  Command.withDescription("Image generation and document parsing as asynchronous, paid tasks"),
  Command.withSubcommands([
    ...callerCommands,
    mcp,
    serve,
    dev,
    migrate,
    doctor,
    users,
    grant,
    keys,
    tokens,
    ...operatorCommands,
    audit,
    create,
  ]),
)
