import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { json, lazily, optionalText, target } from "./flags.ts"
import { setModel, setTool } from "./OperatorCommands.ts"

const out = (description: string) =>
  Flag.String("out").pipe(Flag.withAlias("o"), Flag.withDescription(description), Flag.optional)
const optionalInt = (name: string, description: string) =>
  Flag.Int(name).pipe(Flag.withDescription(description), Flag.optional)

const loginModule = () => import("./commands/Login.ts")
const login = Command.make("login", { ...target, json }, (input) =>
  lazily(loginModule, ({ login }) => login(input)),
).pipe(
  Command.withDescription(
    "Check an address and an API key and keep them; asks on a terminal, else reads the key from standard input",
  ),
)

const logout = Command.make("logout", { json }, (input) =>
  lazily(loginModule, ({ logout }) => logout(input)),
).pipe(Command.withDescription("Forget the address and the key of login"))

const image = Command.make(
  "image",
  {
    prompt: Argument.String("prompt"),
    model: Flag.String("model").pipe(
      Flag.withDescription("Model id; atelier models lists them"),
      Flag.withDefault("gen-image-2"),
    ),
    size: optionalText("size", "Aspect ratio or WIDTHxHEIGHT"),
    resolution: optionalText("resolution", "1K, 2K or 4K"),
    quality: optionalText("quality", "As the model has it"),
    n: optionalInt("n", "Number of images"),
    seed: optionalInt("seed", "The same seed gives a similar image, where the model takes one"),
    images: Flag.String("image").pipe(
      Flag.withDescription("Public address of a reference image; may be repeated"),
      Flag.atLeast(0),
    ),
    callbackUrl: optionalText("callback-url", "Address that is told of the end; see atelier listen"),
    maxUsd: Flag.Finite("max-usd").pipe(
      Flag.withDescription("Refuse where the fee is higher, in US dollars"),
      Flag.optional,
    ),
    idempotencyKey: optionalText("idempotency-key", "The same key and request never make a second task"),
    out: out(
      "File to store the image in, replaced if it is there, its folder made; further images get -2, -3 and so on",
    ),
    ...target,
    json,
  },
  (input) =>
    lazily(
      () => import("./commands/Image.ts"),
      ({ image }) => image(input),
    ),
).pipe(Command.withDescription("Make an image, wait for it and print its address"))

const parse = Command.make(
  "parse",
  {
    files: Argument.String("file").pipe(
      Argument.withDescription("Documents, or patterns in quotes such as 'decks/**/*.pptx'"),
      Argument.variadic({ min: 1 }),
    ),
    tool: optionalText("tool", "Tool id; else the one that takes such files and the fewest others"),
    format: Flag.Literals("format", ["markdown", "json"]).pipe(
      Flag.withDescription("What to make of each document"),
      Flag.withDefault("markdown" as const),
    ),
    out: out("File to store the result in; for several documents a folder. Replaced if it is there"),
    jobs: Flag.Int("jobs").pipe(
      Flag.withDescription("Documents at a time; the service allows a user 4 by default"),
      Flag.withDefault(4),
    ),
    again: Flag.Boolean("again").pipe(
      Flag.withDescription("Convert, and pay, also what was converted before"),
      Flag.withDefault(false),
    ),
    ...target,
    json,
  },
  (input) =>
    lazily(
      () => import("./commands/Parse.ts"),
      ({ parse }) => parse(input),
    ),
).pipe(Command.withDescription("Turn documents into Markdown; run again, it goes on and pays nothing twice"))

const tasksModule = () => import("./commands/Tasks.ts")
const one = {
  task: Argument.String("task").pipe(Argument.withDescription("Task id (imgtask_…, tooltask_…)")),
  ...target,
  json,
}
const tasks = Command.make("tasks").pipe(
  Command.withDescription("The tasks of an API key"),
  Command.withSubcommands([
    Command.make(
      "list",
      {
        limit: Flag.Int("limit").pipe(Flag.withDescription("How many"), Flag.withDefault(20)),
        state: optionalText("state", "Only those in this state"),
        model: optionalText("model", "Only those of this model or tool"),
        after: optionalText("after", "Only those older than this task"),
        ...target,
        json,
      },
      (input) => lazily(tasksModule, ({ list }) => list(input)),
    ).pipe(Command.withDescription("List tasks, newest first")),
    Command.make("get", one, (input) => lazily(tasksModule, ({ get }) => get(input))).pipe(
      Command.withDescription("Show a task as it is now"),
    ),
    Command.make("watch", { ...one, out: out("File to store its result in") }, (input) =>
      lazily(tasksModule, ({ watch }) => watch(input)),
    ).pipe(Command.withDescription("Wait for a task, and show or store what it made")),
    Command.make("cancel", one, (input) => lazily(tasksModule, ({ cancel }) => cancel(input))).pipe(
      Command.withDescription("Cancel a task that has not begun; its fee is given back"),
    ),
    Command.make("history", one, (input) => lazily(tasksModule, ({ history }) => history(input))).pipe(
      Command.withDescription("Show every step of a task, and what each moved on the account"),
    ),
    Command.make(
      "find",
      {
        requestId: Flag.String("request-id").pipe(Flag.withDescription("The `x-request-id` of an answer")),
        json,
      },
      (input) =>
        lazily(
          () => import("./commands/FindTask.ts"),
          ({ find }) => find(input),
        ),
    ).pipe(Command.withDescription("For operators: the task that a request submitted, whatever key's it is")),
  ]),
)

const catalogModule = () => import("./commands/Catalog.ts")
const models = Command.make(
  "models",
  { model: Argument.String("model").pipe(Argument.optional), ...target, json },
  (input) => lazily(catalogModule, ({ models }) => models(input)),
).pipe(
  Command.withDescription("List the image models that the key may use; or one, with its parameters"),
  Command.withSubcommands([setModel]),
)

const tools = Command.make("tools", { ...target, json }, (input) =>
  lazily(catalogModule, ({ tools }) => tools(input)),
).pipe(
  Command.withDescription("List the document tools that the key may use"),
  Command.withSubcommands([setTool]),
)

const balance = Command.make("balance", { ...target, json }, (input) =>
  lazily(
    () => import("./commands/Balance.ts"),
    ({ balance }) => balance(input),
  ),
).pipe(Command.withDescription("Show what the account has, and what of the key's quota is used"))

const listen = Command.make(
  "listen",
  {
    port: Flag.Int("port").pipe(
      Flag.withDescription("Port of this machine; 0 for any"),
      Flag.withDefault(4242),
    ),
    forward: optionalText("forward", "Address that every verified callback is handed on to"),
    secret: optionalText("secret", "Webhook secret of the API key (whsec_…); else ATELIER_WEBHOOK_SECRET"),
    once: Flag.Boolean("once").pipe(
      Flag.withDescription("End after the first verified callback"),
      Flag.withDefault(false),
    ),
    json,
  },
  (input) =>
    lazily(
      () => import("./commands/Listen.ts"),
      ({ listen }) => listen(input),
    ),
).pipe(Command.withDescription("Receive callbacks, verify them, print them and hand them on"))

/** What callers of the API do from a shell. */
export const callerCommands = [login, logout, image, parse, tasks, models, tools, balance, listen] as const
