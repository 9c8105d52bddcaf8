/**
 * Values by name, as many as weigh together at most `weightMax`. Where room is needed, the oldest that was not used
 * since it was last passed over gives way; one that weighs more than a sixteenth of all is not kept.
 */
export class BoundedCache<Value> {
  readonly #entries = new Map<string, Entry<Value>>()
  readonly #weightMax: number
  #weight = 0

  constructor(weightMax: number) {
    this.#weightMax = weightMax
  }

  /** What all of its values weigh together. */
  get weight(): number {
    return this.#weight
  }

  get(name: string): Value | undefined {
    const entry = this.#entries.get(name)
    if (entry === undefined) return undefined
    entry.used = true
    return entry.value
  }

  set(name: string, value: Value, weight: number): void {
    this.#remove(name)
    if (weight > this.#weightMax / 16) return
    this.#makeRoom(weight)
    this.#entries.set(name, { value, weight, used: false })
    this.#weight += weight
  }

  clear(): void {
    this.#entries.clear()
    this.#weight = 0
  }

  #remove(name: string): void {
    this.#weight -= this.#entries.get(name)?.weight ?? 0
    this.#entries.delete(name)
  }

  #makeRoom(weight: number): void {
    for (const [name, entry] of this.#entries) {
      if (this.#weight + weight <= this.#weightMax) return
      this.#entries.delete(name)
      if (entry.used) this.#entries.set(name, { ...entry, used: false })
      else this.#weight -= entry.weight
    }
  }
}

interface Entry<Value> {
  readonly value: Value
  readonly weight: number
  used: boolean
}
