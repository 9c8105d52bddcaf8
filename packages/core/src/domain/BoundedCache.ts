/**
 * Values by name with a total weight of at most `weightMax`. When room is needed, the oldest value that was not used
 * since it was last passed over is evicted; a value that weighs more than a sixteenth of the limit is not cached.
 */
export class BoundedCache<Value> {
  readonly #entries = new Map<string, Entry<Value>>()
  readonly #weightMax: number
  #weight = 0

  constructor(weightMax: number) {
    this.#weightMax = weightMax
  }

  /** The total weight of its values. */
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
