import type { Attack } from "./attack.ts"
import { addresses } from "./attacks/addresses.ts"
import { bodies } from "./attacks/bodies.ts"
import { connections } from "./attacks/connections.ts"
import { credentials } from "./attacks/credentials.ts"
import { fairness } from "./attacks/fairness.ts"
import { machine } from "./attacks/machine.ts"
import { malformed } from "./attacks/malformed.ts"
import { money } from "./attacks/money.ts"
import { overload } from "./attacks/overload.ts"
import { uploads } from "./attacks/uploads.ts"

/** Every attack, in the order in which they run. */
export const attacks: ReadonlyArray<Attack> = [
  ...machine,
  ...bodies,
  ...connections,
  ...credentials,
  ...uploads,
  ...fairness,
  ...money,
  ...addresses,
  ...malformed,
  ...overload,
]

export const attackOf = (name: string): Attack => {
  const found = attacks.find((attack) => attack.name === name)
  if (found === undefined) throw new Error(`there is no attack ${name}`)
  return found
}
