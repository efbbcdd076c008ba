/** Without a root for so long, or with too little of an asset for so long, anyone can begin the end. In seconds. */
export const SILENCE_S = 30 * 86_400
/** From the beginning of the end to its completion. */
const END_WAIT_S = 86_400

/** Times in seconds, 0 before. `base` is the post whose root decides all claims. */
export interface ClosingSlot {
  readonly movedAt: number
  readonly endingAt: number
  readonly endedAt: number
  readonly base: number
}

export type EndState =
  /** Anyone can begin the end from `startAt` on, because of this asset. */
  | { readonly step: 'open'; readonly startAt: number; readonly token: string }
  /** Anyone can complete it from `endAt` on. */
  | { readonly step: 'ending'; readonly endAt: number }
  | { readonly step: 'ended'; readonly base: number }
  /** The money has moved to another vault, and this one has no end. */
  | { readonly step: 'moved' }

/**
 * Describes how far the end of the vault is.
 *
 * @param shortSince by token: since when too little of it is known to be there, 0 if it is not.
 */
export function describeEnd(
  { movedAt, endingAt, endedAt, base }: ClosingSlot,
  newestPostedAt: number,
  shortSince: ReadonlyMap<string, number>,
): EndState {
  if (endedAt !== 0) return { step: 'ended', base }
  if (endingAt !== 0) return { step: 'ending', endAt: endingAt + END_WAIT_S }
  if (movedAt !== 0) return { step: 'moved' }
  const [any = ''] = shortSince.keys()
  let [first, token] = [newestPostedAt, any]
  for (const [each, since] of shortSince) if (since !== 0 && since < first) [first, token] = [since, each]
  return { step: 'open', startAt: first + SILENCE_S, token }
}

/** Figures of an asset in the newest root, and the vault's own counters. In base units. */
export interface OwedFigures {
  readonly owed: bigint
  readonly payouts: bigint
  readonly depositedSeen: bigint
  readonly paidSeen: bigint
  readonly exitedSeen: bigint
}
export interface VaultTotals {
  readonly deposited: bigint
  readonly paid: bigint
  readonly exited: bigint
}

/** Returns what the vault owes of an asset now, as it computes that itself. */
export function owedNow(root: OwedFigures, { deposited, paid, exited }: VaultTotals): bigint {
  const since = deposited - root.depositedSeen - (paid - root.paidSeen) - (exited - root.exitedSeen)
  return root.owed + root.payouts + since
}

/** The vault's money of an asset at the end, in base units. */
export interface EndMoney {
  readonly held: bigint
  readonly owed: bigint
  /** False until the first claim of the asset: then it is what the vault holds and owes now. */
  readonly isFixed: boolean
}

/** Returns what a claim is paid, rounded down as the vault does. */
export function paymentOf(amount: bigint, { held, owed }: Pick<EndMoney, 'held' | 'owed'>): bigint {
  return owed > held ? (amount * held) / owed : amount
}

/** The part that is paid, in hundredths of a percent, rounded down. */
export function partOf({ held, owed }: Pick<EndMoney, 'held' | 'owed'>): number {
  return owed > held ? Number((held * 10_000n) / owed) : 10_000
}
