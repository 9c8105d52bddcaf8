import { createHash, randomBytes } from "node:crypto"
import type { WireHistoryEntry } from "@atelier/api"
import { toWireHistory, toWireImageTask, toWireToolTask } from "@atelier/api/rendering"
import {
  Access,
  Admin,
  CoreError,
  formatUsd,
  Idempotency,
  ImageTasks,
  imageIdempotencyKeyForm,
  KeyStore,
  type OutputFormat,
  type Principal,
  parseUsd,
  priceTotal,
  type RequestBody,
  refuse,
  type Task as StoredTask,
  Tasks,
  ToolTasks,
  toolIdempotencyKeyForm,
  type UserId,
  userIdOf,
} from "@atelier/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type AtelierError, invalid } from "./AtelierError.ts"
import type { ImageBody } from "./bodies.ts"
import { MediaUrl, type Services } from "./Live.ts"
import type { CallOptions, Run } from "./Runner.ts"
import type { DocumentTask, ImageTask, Task } from "./tasks.ts"

/** Units of a user: `wallet + held + spent = granted`, always. */
export interface Balance {
  readonly wallet: number
  readonly held: number
  readonly spent: number
  readonly granted: number
}

/** An account. */
export interface User extends Balance {
  /** Your own id. */
  readonly id: string
  /** The service's id of the same user: in the admin API and in the ledger. */
  readonly userId: string
  /** Whether this call made it. */
  readonly created: boolean
}

export interface Grant {
  /** A decimal such as `"5"` or `"0.50"`. */
  readonly usd: string | number
  /** For the ledger; `grant` where absent. */
  readonly reason?: string
  /** The same key never grants twice within seven days. */
  readonly idempotencyKey?: string
}

/** What submits, beside the body of the model. */
interface ImageOptions<M extends string> {
  /** Your own id of the user, who was made by `users.ensure`. */
  readonly user: string
  readonly model: M
  /**
   * The same key and the same request never make a second task within seven days: 1 to 128 printable ASCII
   * characters. Absent: every call makes a task.
   */
  readonly idempotencyKey?: string
  /** Your own id of the request: the task and its log lines keep it. */
  readonly requestId?: string
}

/** A submission of an image task: whose it is, the model, and what that model takes. */
export type ImageSubmission<M extends string> = ImageOptions<M> & ImageBody<M>

/** What a submission would hold. `usd` and amounts are decimals. */
export interface Quote {
  readonly units: number
  readonly usd: string
  readonly breakdown: ReadonlyArray<{
    readonly description: string
    readonly quantity: number
    readonly unitPrice: string
    readonly amount: string
  }>
}

/** A document task for a file that was uploaded before. */
export interface FileSubmission {
  readonly user: string
  readonly tool: string
  readonly fileId: string
  /** Absent: both. */
  readonly formats?: ReadonlyArray<OutputFormat>
  /** The same key is the same task for seven days: 1 to 128 printable ASCII characters. Absent: every call makes a task. */
  readonly idempotencyKey?: string
  readonly requestId?: string
}

/** Calls that are part of a transaction. */
export interface TransactionCalls {
  readonly users: {
    /** Makes the user if there is none with this id of yours; the opening balance only then. */
    readonly ensure: (id: string, options?: { readonly balanceUsd?: string | number }) => Promise<User>
    readonly balance: (id: string) => Promise<Balance>
    readonly grant: (id: string, grant: Grant) => Promise<Balance>
  }
  readonly images: {
    /** Accepts a task: checked, priced, its fee held. Reference images are fetched, and refused in a transaction. */
    readonly submit: <const M extends string>(submission: ImageSubmission<M>) => Promise<ImageTask>
    readonly quote: <const M extends string>(submission: ImageSubmission<M>) => Promise<Quote>
  }
  readonly documents: {
    readonly submit: (submission: FileSubmission) => Promise<DocumentTask>
  }
  readonly tasks: {
    readonly get: (id: string) => Promise<Task>
    /** Ends a task that has not begun, and gives its fee back. */
    readonly cancel: (id: string) => Promise<Task>
    readonly history: (id: string) => Promise<ReadonlyArray<WireHistoryEntry>>
  }
}

const userIdCharsMax = 200

/** An application's id of a user; the service's own stands for itself. */
export const requireUserId = (id: string, param = "user"): UserId => {
  if (typeof id === "string" && id.length >= 1 && id.length <= userIdCharsMax && isShown(id)) {
    return userIdOf(id)
  }
  const got = typeof id === "string" ? `${id.length} characters` : typeof id
  throw invalid(param, `must be your id of a user, 1 to ${userIdCharsMax} printable characters; got ${got}.`)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
const isShown = (text: string): boolean => text.isWellFormed() && !/[\u0000-\u001f\u007f]/.test(text)

const requireAmount = (usd: string | number, param: string) => {
  const amount = parseUsd(String(usd))
  if (Option.isSome(amount)) return amount.value
  throw invalid(param, `must be a non-negative decimal amount of US dollars; got ${JSON.stringify(usd)}.`)
}

/** The caller that a user of the application is. */
export const principalOf = (user: string) =>
  Effect.suspend(() => {
    const id = requireUserId(user)
    return Effect.flatMap(Access, (access) =>
      Effect.catchIf(
        access.principalOf(id),
        (error) => error instanceof CoreError && error.code === "not_found",
        () => Effect.fail(unknownUser(user, "user")),
      ),
    )
  })

const unknownUser = (user: string, param: string) =>
  refuse("not_found", `There is no user ${JSON.stringify(user)}; \`users.ensure\` makes one.`, { param })

/** The application's id of a user: it is the user's name where the application made it. */
const externalIdOf = Effect.fnUntraced(function* (userId: UserId) {
  const user = yield* (yield* KeyStore).getUser(userId)
  return Option.isSome(user) && userIdOf(user.value.name) === userId ? user.value.name : userId
})

/** A stored task as this package shows it: the task object of the contract, and whose it is. */
export const shown = Effect.fnUntraced(function* (task: StoredTask) {
  const mediaUrl = yield* MediaUrl
  const user = yield* externalIdOf(task.userId)
  const object: Task =
    task.kind === "image" ? { ...toWireImageTask(task, mediaUrl), user } : { ...toWireToolTask(task), user }
  return object
})

const shownAs = <T extends Task>(task: StoredTask) => shown(task) as Effect.Effect<T, unknown, Services>

/** The fields of a submission that are not the model's. */
const bodyOf = ({
  user: _,
  idempotencyKey: __,
  requestId: ___,
  ...body
}: ImageOptions<string>): RequestBody => JSON.parse(JSON.stringify(body))

/** The submission of an image task with its principal. */
export const submitImage = <M extends string>(submission: ImageSubmission<M>) =>
  Effect.gen(function* () {
    const { user, idempotencyKey = null, requestId = null } = submission
    const principal = yield* principalOf(user)
    const images = yield* ImageTasks
    const body = bodyOf(submission)
    const { value } = yield* images.submit({ principal, body, idempotencyKey, requestId })
    return yield* shownAs<ImageTask>(value)
  })

export const quoteImage = <M extends string>(submission: ImageSubmission<M>) =>
  Effect.gen(function* () {
    const principal = yield* principalOf(submission.user)
    const { lines, units, usd } = yield* (yield* ImageTasks).quote(principal, bodyOf(submission))
    const quote: Quote = {
      units,
      usd: formatUsd(usd),
      breakdown: lines.map((line) => ({
        description: line.description,
        quantity: line.quantity,
        unitPrice: formatUsd(line.unitPriceUsd),
        amount: formatUsd(priceTotal([line])),
      })),
    }
    return quote
  })

/** A key that both kinds of tasks take. */
const newIdempotencyKey = (): string => `atl-${randomBytes(16).toString("hex")}`

/**
 * Document tasks take a narrower key than image tasks (document-tools 4.3: 8 to 64 letters, digits, hyphens and
 * underscores). A key of an application that image tasks take stands for one made of it.
 */
export const documentKey = (key = newIdempotencyKey()): string =>
  toolIdempotencyKeyForm.test(key) || !imageIdempotencyKeyForm.test(key)
    ? key
    : `atl-${createHash("sha256").update(key).digest("base64url")}`

export const submitFile = (principal: Principal, submission: Omit<FileSubmission, "user">) =>
  Effect.gen(function* () {
    const { tool, fileId, formats, requestId = null } = submission
    const idempotencyKey = documentKey(submission.idempotencyKey)
    const { value } = yield* (yield* ToolTasks).invoke({
      principal,
      toolId: tool,
      fileId,
      idempotencyKey,
      requestId,
      ...(formats === undefined ? {} : { outputFormats: formats }),
    })
    return yield* shownAs<DocumentTask>(value)
  })

const ensureUser = Effect.fnUntraced(function* (id: string, balanceUsd: string | number | undefined) {
  const userId = requireUserId(id, "id")
  const amount = balanceUsd === undefined ? {} : { balanceUsd: requireAmount(balanceUsd, "balanceUsd") }
  const { balance, created } = yield* (yield* Admin).ensureUser({ id: userId, name: id, ...amount })
  const user: User = { id, userId, created, ...balance }
  return user
})

const requireAccount = Effect.fnUntraced(function* (id: string) {
  const admin = yield* Admin
  const userId = requireUserId(id, "id")
  return yield* Effect.catchIf(
    admin.getUser(userId),
    (error) => error instanceof CoreError && error.code === "not_found",
    () => Effect.fail(unknownUser(id, "id")),
  )
})

/** Once for each key of the application: the same key and another grant is refused. */
const grant = Effect.fnUntraced(function* (id: string, given: Grant) {
  const admin = yield* Admin
  const { user } = yield* requireAccount(id)
  const usd = requireAmount(given.usd, "usd")
  const reason = given.reason ?? "grant"
  const sent = JSON.stringify([user.id, formatUsd(usd), reason])
  const { value } = yield* (yield* Idempotency).once({
    keyId: "admin:application",
    idempotencyKey: given.idempotencyKey ?? null,
    operation: "admin:grant",
    fingerprint: createHash("sha256").update(sent).digest("hex"),
    taskId: user.id,
    reserve: false,
    recordRefusals: false,
    prepare: Effect.void,
    commit: () => admin.grant({ userId: user.id, usd, reason }),
    replay: () => admin.getUser(user.id),
  })
  return value.balance
})

const getTask = (id: string) => Effect.flatMap(Tasks, (tasks) => Effect.flatMap(tasks.getAny(id), shown))

/** Calls whose effects `run` runs: in their own transactions, or in one that is open. */
export const makeUserCalls = (run: Run): TransactionCalls["users"] => ({
  ensure: (id, { balanceUsd } = {}) => run(ensureUser(id, balanceUsd)),
  balance: (id) => run(Effect.map(requireAccount(id), ({ balance }) => balance)),
  grant: (id, given) => run(grant(id, given)),
})

export const makeTaskCalls = (run: Run) => ({
  get: (id: string, options?: CallOptions) => run(getTask(id), options),
  cancel: (id: string, options?: CallOptions) =>
    run(
      Effect.flatMap(Tasks, (tasks) => Effect.flatMap(tasks.cancelQueued(id), shown)),
      options,
    ),
  history: (id: string, options?: CallOptions) =>
    run(
      Effect.flatMap(Tasks, (tasks) =>
        Effect.map(tasks.getAny(id), (task) => task.history.map((entry) => toWireHistory(task, entry))),
      ),
      options,
    ),
})

/** Reference images are fetched before acceptance, which takes longer than a transaction may. */
const requireNoReferences = (submission: object): Effect.Effect<void, AtelierError> => {
  const field = ["images", "image_urls"].find((name) => {
    const value: unknown = Reflect.get(submission, name)
    return Array.isArray(value) && value.length > 0
  })
  return field === undefined
    ? Effect.void
    : Effect.fail(
        invalid(
          field,
          "cannot be given in a transaction: reference images are fetched before the task is accepted. Submit it outside, under an idempotency key.",
        ),
      )
}

/** The calls of a transaction. */
export const makeCalls = (run: Run): TransactionCalls => ({
  users: makeUserCalls(run),
  images: {
    submit: (submission) => run(Effect.andThen(requireNoReferences(submission), submitImage(submission))),
    quote: (submission) => run(quoteImage(submission)),
  },
  documents: {
    submit: (submission) =>
      run(Effect.flatMap(principalOf(submission.user), (principal) => submitFile(principal, submission))),
  },
  tasks: makeTaskCalls(run),
})
