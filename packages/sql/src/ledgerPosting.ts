import { type StorageError, type Transfer, type TransferKind, unitsMax } from "@atelier/core"
import * as Effect from "effect/Effect"
import { type Dialect, hasRows, type Param, type Statement } from "./statement.ts"

/** The outcome of a transfer: insufficient balances did not move; a key without quota left nothing appended. */
export interface Posted {
  readonly moved: boolean
  readonly appended: boolean
  /** Image tasks of the user whose hold is open then; null where nothing moved. */
  readonly image_tasks: number | null
}

const notMoved: Posted = { moved: false, appended: false, image_tasks: null }

interface MovedRow {
  readonly image_tasks: number
}
type MakeStatement = <Row extends object>(operation: string, text: string) => Statement<Row>
export type Post = (transfer: Transfer) => Effect.Effect<Posted, StorageError>

const operation = "LedgerStore.post"

/**
 * How each kind moves the balances. Parameters: amount, amount, image tasks more, user, amount; no row where too
 * little is there, or where more would be granted than is counted exactly.
 */
const moves: { readonly [K in TransferKind]: string } = {
  grant: `granted = granted + ?, wallet = wallet + ?, image_tasks = image_tasks + ?
    WHERE user_id = ? AND granted <= ${unitsMax} - ?`,
  hold: "wallet = wallet - ?, held = held + ?, image_tasks = image_tasks + ? WHERE user_id = ? AND wallet >= ?",
  settle: "held = held - ?, spent = spent + ?, image_tasks = image_tasks + ? WHERE user_id = ? AND held >= ?",
  release:
    "held = held - ?, wallet = wallet + ?, image_tasks = image_tasks + ? WHERE user_id = ? AND held >= ?",
}

const entry =
  "INSERT INTO ledger (id, kind, phase, user_id, key_id, task_id, debit, credit, amount, reason, at)"

/** Queries; a test checks that their plans use indexes. */
export const queries = {
  append: `${entry} VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  useKey: `UPDATE api_keys SET used_units = used_units + ?
    WHERE id = ? AND (quota_units IS NULL OR used_units + ? <= quota_units) RETURNING id`,
  giveBackKey: "UPDATE api_keys SET used_units = used_units - ? WHERE id = ? RETURNING id",
}

/**
 * A hold makes an unfinished task, what closes it ends that one. `kind` may be other than the transfer's, to undo
 * it.
 */
const imageTasksMore = ({ phase, taskId }: Transfer, kind: TransferKind): number => {
  if (!taskId?.startsWith("imgtask_") || phase === "remainder") return 0
  return kind === "hold" ? 1 : -1
}

const moveParams = (transfer: Transfer, kind: TransferKind = transfer.kind): ReadonlyArray<Param> => {
  const { amount, userId } = transfer
  return [amount, amount, imageTasksMore(transfer, kind), userId, amount]
}
const entryParams = (transfer: Transfer): ReadonlyArray<Param> => [
  transfer.id,
  transfer.kind,
  transfer.phase,
  transfer.userId,
  transfer.keyId,
  transfer.taskId,
  transfer.debit,
  transfer.credit,
  transfer.amount,
  transfer.reason,
  transfer.at,
]

/** Moves only the balances; no row where they did not move. */
export const makeMove = (statement: MakeStatement, kind: TransferKind) => {
  const move = statement<MovedRow>(operation, `UPDATE accounts SET ${moves[kind]} RETURNING image_tasks`)
  return (transfer: Transfer) => move(moveParams(transfer, kind))
}

/** Moves the balances, counts against the key's quota and appends; as far as it comes. */
export const makePost = (statement: MakeStatement, dialect: Dialect): Post =>
  dialect === "postgres" ? makeAtOnce(statement) : makeInSteps(statement)

/** SQLite runs in this process: one more statement costs next to nothing. */
const makeInSteps = (statement: MakeStatement): Post => {
  const move = {
    grant: makeMove(statement, "grant"),
    hold: makeMove(statement, "hold"),
    settle: makeMove(statement, "settle"),
    release: makeMove(statement, "release"),
  }
  const append = statement(operation, queries.append)
  const useKey = statement(operation, queries.useKey)
  const giveBackKey = statement(operation, queries.giveBackKey)
  return Effect.fnUntraced(function* (transfer: Transfer) {
    const { kind, keyId, amount } = transfer
    const [moved] = yield* move[kind](transfer)
    if (moved === undefined) return notMoved
    if (keyId !== null && kind === "hold" && !hasRows(yield* useKey([amount, keyId, amount]))) {
      return { moved: true, appended: false, ...moved }
    }
    if (keyId !== null && kind === "release") yield* giveBackKey([amount, keyId])
    yield* append(entryParams(transfer))
    return { moved: true, appended: true, ...moved }
  })
}

/**
 * The same in one statement, because each is a round trip, for most of which the balances are locked. The balances
 * are locked before the key's row, as there.
 */
const makeAtOnce = (statement: MakeStatement): Post => {
  const whole = (kind: TransferKind, key?: { readonly change: string; readonly gates: boolean }) =>
    statement<Posted>(
      operation,
      `WITH moved AS (UPDATE accounts SET ${moves[kind]} RETURNING image_tasks)
        ${key === undefined ? "" : `, counted AS (UPDATE api_keys SET ${key.change} AND EXISTS (SELECT 1 FROM moved) RETURNING id)`}
        , appended AS (${entry} SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?
          FROM ${key?.gates === true ? "counted" : "moved"} RETURNING id)
      SELECT EXISTS (SELECT 1 FROM moved) AS moved, EXISTS (SELECT 1 FROM appended) AS appended,
        (SELECT image_tasks FROM moved) AS image_tasks`,
    )
  const keyless = {
    grant: whole("grant"),
    hold: whole("hold"),
    settle: whole("settle"),
    release: whole("release"),
  }
  const holdOfKey = whole("hold", {
    change:
      "used_units = used_units + ? WHERE id = ? AND (quota_units IS NULL OR used_units + ? <= quota_units)",
    gates: true,
  })
  const releaseOfKey = whole("release", { change: "used_units = used_units - ? WHERE id = ?", gates: false })
  const run = (transfer: Transfer) => {
    const { kind, keyId, amount } = transfer
    const [moved, appended] = [moveParams(transfer), entryParams(transfer)]
    if (keyId !== null && kind === "hold") return holdOfKey([...moved, amount, keyId, amount, ...appended])
    if (keyId !== null && kind === "release") return releaseOfKey([...moved, amount, keyId, ...appended])
    return keyless[kind]([...moved, ...appended])
  }
  return (transfer) => Effect.map(run(transfer), ([posted]) => posted ?? notMoved)
}
