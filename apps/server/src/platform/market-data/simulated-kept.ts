/** Keeps the values asked for last by their names: when `size` new ones have come, those not asked for since go. */
export function keptLately<Value>(size: number): (name: string, make: () => Value) => Value {
  let recent = new Map<string, Value>()
  let older = new Map<string, Value>()
  return (name, make) => {
    const kept = recent.get(name)
    if (kept !== undefined) return kept
    const value = older.get(name) ?? make()
    if (recent.size >= size) {
      older = recent
      recent = new Map()
    }
    recent.set(name, value)
    return value
  }
}
