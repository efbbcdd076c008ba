import { mulDiv } from '@clearwell/money/mul-div'
import { LendingWorld } from './lending-world.ts'
import type { OldLendingRules } from './old-lending-rules.ts'
import { E18 } from './world.ts'

const KEEPER = 'keeper'
export const ATTACKER = 'attacker'
export const SECOND = 'second account'
export const FIRST_PRICE = 620n * E18
export const PLEDGED = 1_000_000n * E18
const BORROWERS = 12

interface Setting {
  readonly seed: number
  /** In USDT, of the attacker and of its second account. */
  readonly capital?: bigint
  /** The honest pledges, and the parts of them that honest users borrow, in per cent. */
  readonly pledged?: bigint
  readonly borrowedPercent?: number
  readonly old?: OldLendingRules
}

/** A pool with honest pledgers and borrowers, a liquidator with enough money, and an attacker. */
export function openWorld({
  seed,
  capital = 0n,
  pledged = PLEDGED,
  borrowedPercent = 60,
  old = {},
}: Setting): LendingWorld {
  const world = new LendingWorld(seed, { old })
  const rich = 10n ** 27n
  world.give(KEEPER, 'USDT', rich)
  world.give(ATTACKER, 'USDT', capital)
  world.give('pledger', 'USDT', pledged)
  world.pledge('pledger', pledged)
  const each = (pledged * BigInt(borrowedPercent)) / 100n / BigInt(BORROWERS)
  for (let index = 0; index < BORROWERS; index++) {
    const ltv = BigInt(Math.round(4_500 + world.random() * 2_000))
    if (each > 0n) borrowAt(world, `borrower ${index}`, each, ltv)
  }
  world.insurance = BigInt(Math.round(world.random() * 20_000)) * E18
  return world
}

/** Gives somebody the collateral for a loan at a ratio, and takes it. @throws RangeError if it is refused. */
export function borrowAt(world: LendingWorld, owner: string, amount: bigint, ltvBps: bigint): string {
  const id = tryBorrowAt(world, owner, amount, ltvBps)
  if (id === undefined) throw new RangeError(`a loan of ${amount} was refused`)
  return id
}

/** The same where the server may refuse the loan. @returns its id, or `undefined`. */
export function tryBorrowAt(world: LendingWorld, owner: string, amount: bigint, ltvBps: bigint): string | undefined {
  const collateral = collateralFor(amount, ltvBps)
  world.give(owner, 'BNB', collateral)
  const id = world.borrow(owner, { collateral, amount })
  // A refused loan must not leave its collateral as a gift.
  if (id === undefined) world.give(owner, 'BNB', -collateral)
  return id
}

/** In steps of 10^9 units, so that parts of a loan need the same collateral as the whole. */
function collateralFor(amount: bigint, ltvBps: bigint): bigint {
  const step = 10n ** 9n
  return mulDiv(amount * 10_000n, E18, ltvBps * FIRST_PRICE * step, 'up') * step
}

/** The liquidators clear all that they may, in parts. */
export function clearAll(world: LendingWorld): void {
  for (let round = 0; round < 10; round++) {
    const due = world.toBeCleared()
    if (due.length === 0) return
    for (const { id } of due) world.clear(KEEPER, id)
  }
}

/** A price at which some orders owe more than their collateral is worth. */
export function crash(world: LendingWorld): bigint {
  const part = BigInt(Math.round(4_300 + world.random() * 1_700))
  return (FIRST_PRICE * part) / 10_000n
}

/** The capital of most attackers. */
export const CAPITAL = 100_000n * E18
