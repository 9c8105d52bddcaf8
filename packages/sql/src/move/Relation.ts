/** A value of a column, as both databases hold it. */
export type Value = string | number | null
export type Row = ReadonlyArray<Value>

/** Rows in the order of a key: a table, or a query in parentheses. */
export interface Relation {
  readonly name: string
  readonly from: string
  readonly columns: ReadonlyArray<string>
  /** Columns by which rows are told apart and ordered; texts by their bytes. */
  readonly key: ReadonlyArray<string>
  /** What the source is asked for in place of a column. */
  readonly read: { readonly [column: string]: string }
}

/**
 * Columns that are not copied unchanged. Leases of the source are void: their holder is gone, as it is when
 * another process takes its job over.
 */
export const exceptions: { readonly [table: string]: Relation["read"] } = {
  jobs: { lost: "lost + (leased_by IS NOT NULL)", leased_by: "NULL", leased_until: "NULL" },
}

/** Tables that are not carried: what follows from the others, and a count that each database has of its own. */
export const derived: ReadonlySet<string> = new Set(["job_users", "principals_version", "totals"])

/** What the transfers of each user come to; wallet, held and spent are its balances. */
export const ledgerSums: Relation = {
  name: "ledger sums",
  from: `(SELECT user_id,
      sum(CASE WHEN debit = 'granted' THEN amount ELSE 0 END) AS granted,
      sum(CASE WHEN credit = 'wallet' THEN amount WHEN debit = 'wallet' THEN -amount ELSE 0 END) AS wallet,
      sum(CASE WHEN credit = 'held' THEN amount WHEN debit = 'held' THEN -amount ELSE 0 END) AS held,
      sum(CASE WHEN credit = 'spent' THEN amount ELSE 0 END) AS spent
    FROM ledger GROUP BY user_id) AS sums`,
  columns: ["user_id", "granted", "wallet", "held", "spent"],
  key: ["user_id"],
  read: {},
}

/** A name as SQL has it; both databases take the same. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

export const list = (names: ReadonlyArray<string>): string => names.map(quoted).join(", ")

/** Negative where `a` comes first. Texts compare by their bytes in UTF-8. */
export const compareKeys = (a: Row, b: Row): number => {
  for (const [index, left] of a.entries()) {
    const right = b[index]
    const order =
      typeof left === "number" && typeof right === "number"
        ? left - right
        : Buffer.compare(Buffer.from(String(left)), Buffer.from(String(right)))
    if (order !== 0) return order
  }
  return 0
}
