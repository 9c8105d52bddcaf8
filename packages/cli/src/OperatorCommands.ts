import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { json, lazily, optionalText } from "./flags.ts"

/** What operators do from a shell with channels, prices, records and backups, directly on the database. */

const channelsModule = () => import("./commands/Channels.ts")
const channel = Argument.String("channel").pipe(
  Argument.withDescription("Channel id, as in the configuration"),
)
const channels = Command.make("channels", { json }, (input) =>
  lazily(channelsModule, ({ list }) => list(input)),
).pipe(
  Command.withDescription("List the channels to upstreams, and whether they are paused"),
  Command.withSubcommands([
    Command.make(
      "pause",
      { channel, reason: optionalText("reason", "Why, for the list and the audit log"), json },
      (input) => lazily(channelsModule, ({ pause }) => pause(input)),
    ).pipe(
      Command.withDescription(
        "Send no more tasks to a channel; what it accepted goes on, also over restarts",
      ),
    ),
    Command.make("resume", { channel, json }, (input) =>
      lazily(channelsModule, ({ resume }) => resume(input)),
    ).pipe(Command.withDescription("Send tasks to a channel again")),
  ]),
)

const backupModule = () => import("./commands/Backup.ts")
const backup = Command.make(
  "backup",
  { folder: Argument.String("folder").pipe(Argument.withDescription("A folder that is new or empty")), json },
  (input) => lazily(backupModule, ({ backup }) => backup(input)),
).pipe(
  Command.withDescription("Copy the SQLite database and the blobs that it names, while the server goes on"),
)
const restore = Command.make(
  "restore",
  { folder: Argument.String("folder").pipe(Argument.withDescription("A folder that backup wrote")), json },
  (input) => lazily(backupModule, ({ restore }) => restore(input)),
).pipe(Command.withDescription("Check a backup and put it where the settings say; nothing may be there yet"))

const recordsModule = () => import("./commands/Records.ts")
const ledger = Command.make("ledger").pipe(
  Command.withDescription("The ledger, directly on the database"),
  Command.withSubcommands([
    Command.make(
      "export",
      {
        user: optionalText("user", "Only the transfers of this user (usr_…)"),
        format: Flag.Literals("format", ["csv", "jsonl"]).pipe(
          Flag.withDescription("csv, or a JSON object a line"),
          Flag.withDefault("csv" as const),
        ),
        out: optionalText("out", "A new file to write; else standard output"),
      },
      (input) => lazily(recordsModule, ({ exportLedger }) => exportLedger(input)),
    ).pipe(Command.withDescription("Write every transfer, newest first, amounts in units")),
  ]),
)

const stats = Command.make(
  "stats",
  {
    check: Flag.Boolean("check").pipe(
      Flag.withDescription("Add up every transfer and count every row as well"),
      Flag.withDefault(false),
    ),
    json,
  },
  (input) => lazily(recordsModule, ({ stats }) => stats(input)),
).pipe(Command.withDescription("Show how many tasks, jobs and transfers there are, and what they sum to"))

const toggle = (name: string, description: string) =>
  Flag.Literals(name, ["true", "false"]).pipe(Flag.withDescription(description), Flag.optional)
const price = optionalText("price", "US dollars, such as 0.05, for each image or document")
const setModule = () => import("./commands/SetCatalog.ts")

/** Subcommands of `models` and `tools`, which callers have too. */
export const setModel = Command.make(
  "set",
  {
    model: Argument.String("model").pipe(Argument.withDescription("Model id")),
    enabled: toggle("enabled", "Whether it is offered"),
    delivery: Flag.Literals("delivery", ["archive", "passthrough"]).pipe(
      Flag.withDescription("Whether its images are copied to this service"),
      Flag.optional,
    ),
    price,
    json,
  },
  (input) => lazily(setModule, ({ setModel }) => setModel(input)),
).pipe(Command.withDescription("For operators: enable or price a model, directly on the database"))
export const setTool = Command.make(
  "set",
  {
    tool: Argument.String("tool").pipe(Argument.withDescription("Tool id")),
    published: toggle("published", "Whether it is offered"),
    price,
    maxFileBytes: Flag.Int("max-file-bytes").pipe(
      Flag.withDescription("Largest document; never above the tool's own limit"),
      Flag.optional,
    ),
    json,
  },
  (input) => lazily(setModule, ({ setTool }) => setTool(input)),
).pipe(Command.withDescription("For operators: publish, price or limit a tool, directly on the database"))

const bench = Command.make(
  "bench",
  {
    seconds: Flag.Int("seconds").pipe(
      Flag.withDescription("Seconds of each of the four to seven measurements"),
      Flag.withDefault(8),
    ),
    json,
  },
  (input) =>
    lazily(
      () => import("./commands/Bench.ts"),
      ({ bench }) => bench(input),
    ),
).pipe(Command.withDescription("Measure what this machine carries, in about a minute"))

export const operatorCommands = [channels, ledger, stats, backup, restore, bench] as const
