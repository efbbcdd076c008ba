/**
 * A map with two keys, looked up one after the other. Joining two texts into one key costs more than both lookups, because
 * the new text is copied and hashed each time.
 */
export class TwoLevelMap<First, Second, Value> {
  readonly #maps = new Map<First, Map<Second, Value>>()
  #size = 0

  get size(): number {
    return this.#size
  }

  get(first: First, second: Second): Value | undefined {
    return this.#maps.get(first)?.get(second)
  }

  set(first: First, second: Second, value: Value): void {
    let map = this.#maps.get(first)
    if (!map) {
      map = new Map()
      this.#maps.set(first, map)
    }
    const before = map.size
    map.set(second, value)
    this.#size += map.size - before
  }

  delete(first: First, second: Second): void {
    if (this.#maps.get(first)?.delete(second)) this.#size--
  }

  clear(): void {
    this.#maps.clear()
    this.#size = 0
  }

  /** The values under each first key. */
  byFirst(): IterableIterator<[First, ReadonlyMap<Second, Value>]> {
    return this.#maps.entries()
  }

  forEach(visit: (value: Value, first: First, second: Second) => void): void {
    this.#maps.forEach((map, first) => {
      map.forEach((value, second) => {
        visit(value, first, second)
      })
    })
  }
}
