import { core } from "./core.ts"
import type { Fault } from "./fault.ts"
import { http } from "./http.ts"
import { intake } from "./intake.ts"
import { sql } from "./sql.ts"

/** Every planted fault. `npm run faults` shows that each is found. */
export const faults: ReadonlyArray<Fault> = [...core, ...sql, ...http, ...intake]
