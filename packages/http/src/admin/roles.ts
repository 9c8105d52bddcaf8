import type { AdminRole } from "@atelier/core"

/** Changes that `support` may make: grants, cancelling, redelivery, and limits of keys (contract, Admin credentials). */
const supportChanges: ReadonlySet<string> = new Set(["grant", "cancelTask", "redeliverCallback", "updateKey"])

/** What every role may do: sign its own browser in and out. */
const ownSession: ReadonlySet<string> = new Set(["openSession", "closeSession"])

/** The fields of a key that `support` may change: its limits. */
export const supportKeyFields: ReadonlySet<string> = new Set(["quota_usd", "rate_per_minute"])

/** Whether a role may use an endpoint of the admin API at all. */
export const mayUse = (
  role: AdminRole,
  endpoint: { readonly identifier: string; readonly method: string },
): boolean =>
  role === "owner" ||
  endpoint.method === "GET" ||
  ownSession.has(endpoint.identifier) ||
  (role === "support" && supportChanges.has(endpoint.identifier))
