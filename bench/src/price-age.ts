/** When ages are looked at. */
interface Grid {
  readonly fromMs: number
  readonly toMs: number
  readonly everyMs: number
}

/**
 * How long what a client showed had been outdated, at each moment of a grid: the time since the change after the one it
 * showed, or 0 where it showed the latest.
 *
 * @param changes every value and since when it was known to hold, in their order.
 * @param seen the values that the client received, in order.
 */
export function outdatedMs(
  changes: readonly { atMs: number; value: string }[],
  seen: readonly { atMs: number; value: string }[],
  { fromMs, toMs, everyMs }: Grid,
): number[] {
  const indexOf = new Map(changes.map(({ value }, index) => [value, index]))
  const ages: number[] = []
  let next = 0
  let shown = -1
  for (let nowMs = fromMs; nowMs < toMs; nowMs += everyMs) {
    for (let each = seen[next]; each && each.atMs <= nowMs; each = seen[++next])
      shown = Math.max(shown, indexOf.get(each.value) ?? -1)
    const missing = changes[shown + 1]
    if (shown >= 0) ages.push(missing && missing.atMs <= nowMs ? nowMs - missing.atMs : 0)
  }
  return ages
}

/** How old the ticker was that a client showed, at each moment of a grid, by the ticker's own time. */
export function tickerAgesMs(
  seen: readonly { atMs: number; timeMs: number }[],
  { fromMs, toMs, everyMs }: Grid,
): number[] {
  const ages: number[] = []
  let next = 0
  let shownMs: number | undefined
  for (let nowMs = fromMs; nowMs < toMs; nowMs += everyMs) {
    for (let each = seen[next]; each && each.atMs <= nowMs; each = seen[++next]) shownMs = each.timeMs
    if (shownMs !== undefined) ages.push(nowMs - shownMs)
  }
  return ages
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
