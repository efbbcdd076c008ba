/** The money of a lending pool that can be borrowed or withdrawn. */
export function lendingCash(asset: string): string {
  return `lending:${asset}:cash`
}

/** The part of a lending pool's interest that is revenue. */
export function lendingReserve(asset: string): string {
  return `lending:${asset}:reserve`
}
