import { maxUnits } from '@clearwell/money/min-max'
import { mulDiv } from '@clearwell/money/mul-div'
import { ATTACKER, CAPITAL, clearAll, crash, openWorld } from './lending-scene.ts'
import { DAY, type LendingWorld } from './lending-world.ts'
import type { OldLendingRules } from './old-lending-rules.ts'
import { E18 } from './world.ts'

/** A pledger of the tenth part leaves when the price has fallen, or after everything was cleared. */
export function leaveAfterLoss(seed: number, old: OldLendingRules = {}): bigint {
  const left = (leavesFirst: boolean) => {
    const world = openWorld({ seed, capital: CAPITAL, old })
    world.pledge(ATTACKER, CAPITAL)
    world.setPrice(crash(world))
    if (leavesFirst) world.unpledge(ATTACKER)
    clearAll(world)
    world.unpledge(ATTACKER)
    return world.wealth([ATTACKER])
  }
  return left(true) - left(false)
}

/** Pledges nine times the pool while a loss is known, lets it be cleared or the price return, and leaves. */
export function pledgeIntoLoss(seed: number, how: 'insurance' | 'recovery', old: OldLendingRules = {}): bigint {
  const capital = 9_000_000n * E18
  const world = openWorld({ seed, capital, old })
  const low = crash(world)
  world.setPrice(low)
  world.pledge(ATTACKER, capital)
  if (how === 'recovery') world.setPrice((low * 112n) / 100n)
  else clearAll(world)
  world.unpledge(ATTACKER)
  return world.wealth([ATTACKER]) - capital
}

/** Pledges for a second around a repayment, twenty times. */
export function pledgeForSecond(seed: number, isAround: boolean): bigint {
  const capital = 5_000_000n * E18
  const world = openWorld({ seed, capital })
  for (let borrower = 0; borrower < 10; borrower++) {
    world.advance(DAY)
    const owner = `borrower ${borrower}`
    const [order] = world.ordersOf(owner)
    if (!order) throw new RangeError(`${owner} has no order`)
    world.give(owner, 'USDT', 10n * CAPITAL)
    const pay = () => void world.repay(order.id, 5_000n * E18)
    if (!isAround) pay()
    world.pledge(ATTACKER, capital)
    if (isAround) pay()
    world.advance(1)
    world.unpledge(ATTACKER)
  }
  return world.wealth([ATTACKER])
}

/**
 * The sources that show a fall: `near` all sources, up to where the loss begins; `apart` both, of which one follows late; `alone` one source of
 * which no other says the same; `none` no source.
 */
type Shown = 'near' | 'apart' | 'alone' | 'none'

interface Leaving {
  readonly seed: number
  readonly shown: Shown
  readonly old?: OldLendingRules
}

/** The price at which the worst order has a ratio, in thousandths. */
function priceAt(world: LendingWorld, ratio: bigint): bigint {
  const highest = world.orders
    .map(({ principal, collateral }) => mulDiv(principal, E18, collateral, 'up'))
    .reduce(maxUnits)
  return mulDiv(highest, 1_000n, ratio, 'up')
}

/** Where the market is, and what the sources say, when a pledger thinks of leaving. No order was cleared yet. */
function fall(world: LendingWorld, shown: Shown): void {
  // Without insurance, which would hide the loss.
  world.insurance = 0n
  if (shown === 'near') {
    // The loss begins at 98.04 %.
    world.setPrice(priceAt(world, 979n))
  } else if (shown === 'apart') {
    const market = crash(world)
    world.setPrice(market, [market, (market * 109n) / 100n])
  } else fallWithoutPrice(world, shown)
}

/** All sources show the first part of the fall, where no order is to be cleared yet, and the rest is shown by one or none. */
function fallWithoutPrice(world: LendingWorld, shown: 'alone' | 'none'): void {
  world.setPrice(priceAt(world, 820n))
  const market = (world.market * BigInt(Math.round(400 + 600 * world.random()))) / 1_000n
  const alone = world.random() < 0.5 ? [market] : [market, market * 3n]
  world.setPrice(market, shown === 'none' ? [] : alone)
}

/** A pledger leaves, or stays, while the price is not what the sources say; the liquidators come an hour later. */
function leaveEarly({ seed, leaves, shown, old = {} }: Leaving & { readonly leaves: boolean }) {
  const world = openWorld({ seed, capital: CAPITAL, old })
  world.pledge(ATTACKER, CAPITAL)
  const worth = world.worthOfPledge(ATTACKER)
  fall(world, shown)
  const hidden = world.partOfPool(ATTACKER, maxUnits(0n, world.lossAt(world.market) - world.knownLoss()))
  if (leaves) world.unpledge(ATTACKER)
  world.advance(3_600)
  const later = shown === 'near' ? Math.exp(0.08 * world.normal() - 0.0032) : 1
  world.setPrice((world.market * BigInt(Math.round(1e6 * later))) / 1_000_000n)
  clearAll(world)
  world.unpledge(ATTACKER)
  return { left: world.wealth([ATTACKER]), worth, hidden }
}

/** Leaves early, and stays. @returns the gain, the loss that staying had, and the own part of the loss that no one could know. */
export function leavingEarly(leaving: Leaving) {
  const attack = leaveEarly({ ...leaving, leaves: true })
  const honest = leaveEarly({ ...leaving, leaves: false })
  return { gain: attack.left - honest.left, lost: maxUnits(0n, honest.worth - honest.left), hidden: attack.hidden }
}
