import type { Breakage } from './breakage.ts'

/**
 * Puts first what the last commit touched, in the order of the rows, then the others in an order that the commit's hash
 * decides: each commit tries other rows, and the same commit the same ones.
 */
export function orderForCommit(
  breakages: readonly Breakage[],
  { files, hash }: { readonly files: readonly string[]; readonly hash: string },
): Breakage[] {
  const touched = new Set(files)
  const others = shuffle(
    breakages.filter(({ file }) => !touched.has(file)),
    Number.parseInt(hash.slice(0, 8), 16),
  )
  return [...breakages.filter(({ file }) => touched.has(file)), ...others]
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
