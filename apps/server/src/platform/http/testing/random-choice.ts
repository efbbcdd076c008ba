/** A repeatable generator of whole numbers below a bound. */
export type Random = (below: number) => number

export function pick<Item>(items: readonly Item[], random: Random): Item {
  return items[random(items.length)] as Item
}
