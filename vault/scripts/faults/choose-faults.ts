import type { Fault } from './find-faults.ts'

/**
 * Chooses `count` faults by a seed, from each contract in turn, so that a small one is tried too. The order decides which are
 * tried first.
 */
export function chooseFaults(all: readonly Fault[], seed: number): Fault[] {
  const files = new Map<string, Fault[]>()
  for (const fault of shuffle(all, seed)) files.set(fault.file, [...(files.get(fault.file) ?? []), fault])
  const rows = [...files.values()]
  const longest = Math.max(0, ...rows.map(({ length }) => length))
  return Array.from({ length: longest }, (_, i) => rows.flatMap((row) => row[i] ?? [])).flat()
}

/** Shuffles with a small generator (mulberry32), so that a seed always gives the same order. */
function shuffle<Item>(items: readonly Item[], seed: number): Item[] {
  let state = seed | 0
  const random = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return items
    .map((item) => ({ item, place: random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item)
}
