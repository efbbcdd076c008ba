/** From the request to the last root that can be the base, and to the payment, in seconds. */
const CUT_S = 6 * 86_400
const WAIT_S = 7 * 86_400

/** An account's slot in the vault. Times are seconds since 1970, roots are counted by the vault's posts. */
export interface AccountSlot {
  readonly exitAt: number
  readonly floor: number
  readonly lastBase: number
  readonly lastBlock: number
}

/** Counters of an account and asset in the vault, in base units. */
export interface BalanceSlot {
  readonly deposited: bigint
  readonly paid: bigint
}

export type ExitState =
  | { readonly step: 'none' }
  | {
      /** `open`: the base can still change. `fixed`: it cannot. `ready`: the vault pays. */
      readonly step: 'open' | 'fixed' | 'ready'
      readonly requestedAt: number
      readonly baseAt: number
      readonly readyAt: number
    }

/** Describes an exit by the vault's slot and the time of a block, in seconds. */
export function describeExit({ exitAt }: Pick<AccountSlot, 'exitAt'>, now: number): ExitState {
  if (exitAt === 0) return { step: 'none' }
  const [baseAt, readyAt] = [exitAt + CUT_S, exitAt + WAIT_S]
  // A root that is posted in the second of the cut still counts.
  const step = now >= readyAt ? 'ready' : now > baseAt ? 'fixed' : 'open'
  return { step, requestedAt: exitAt, baseAt, readyAt }
}

/** Returns what the vault pays under a leaf with the counters of now, in base units; 0 if nothing is left. */
export function amountUnder(
  leaf: { readonly free: string; readonly deposited_seen: string; readonly paid_seen: string },
  { deposited, paid }: BalanceSlot,
): bigint {
  const amount = BigInt(leaf.free) + deposited - BigInt(leaf.deposited_seen) - (paid - BigInt(leaf.paid_seen))
  return amount > 0n ? amount : 0n
}

/** The last time of posting whose root is not frozen; `undefined` while no root is. */
export function frozenAfter(pausedAt: number, now: number): number | undefined {
  return pausedAt === 0 || now >= pausedAt + WAIT_S ? undefined : pausedAt - 86_400
}
