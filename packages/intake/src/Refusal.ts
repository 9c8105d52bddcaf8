const brand = "@atelier/intake/Refusal"

/**
 * The one exception that a parsing module throws on purpose: the document is at fault, and its owner is
 * told `code` and `message`. Anything else that a module throws counts as a crash.
 */
export class Refusal extends Error {
  readonly code: string
  readonly brand = brand

  constructor(code: string, message: string) {
    super(message)
    this.name = "Refusal"
    this.code = code
  }

  /** True also for a refusal that another copy of this package threw. */
  static is(thrown: unknown): thrown is Refusal {
    return thrown instanceof Error && "brand" in thrown && thrown.brand === brand
  }
}
