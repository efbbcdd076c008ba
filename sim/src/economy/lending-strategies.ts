import { leaveAfterLoss, leavingEarly, pledgeForSecond, pledgeIntoLoss } from './lending-pledges.ts'
import {
  ATTACKER,
  borrowAt,
  CAPITAL,
  clearAll,
  FIRST_PRICE,
  openWorld,
  PLEDGED,
  SECOND,
  tryBorrowAt,
} from './lending-scene.ts'
import { DAY, LendingWorld } from './lending-world.ts'
import type { OldLendingRules } from './old-lending-rules.ts'
import { NOTHING_GAINED, type Strategy } from './strategy.ts'
import { E18 } from './world.ts'

function strategy(
  name: string,
  about: string,
  more: Pick<Strategy, 'run'> & Partial<Pick<Strategy, 'capital' | 'bound' | 'holds'>>,
): Strategy {
  return { name, about, capital: '100,000 USDT', bound: NOTHING_GAINED, holds: 'always', ...more }
}

/** Lowers the rate by a pledge of a day, before or after borrowing, and keeps the loan for 30 days. */
function rateByPledge(seed: number, pledgesFirst: boolean): bigint {
  const capital = 5_000_000n * E18
  const world = openWorld({ seed, capital, borrowedPercent: 75 })
  if (pledgesFirst) world.pledge(ATTACKER, capital)
  const id = borrowAt(world, ATTACKER, CAPITAL, 5_000n)
  if (!pledgesFirst) world.pledge(ATTACKER, capital)
  world.advance(DAY)
  world.unpledge(ATTACKER)
  world.advance(29 * DAY)
  world.repay(id)
  return world.wealth([ATTACKER])
}

function mustBorrow(world: LendingWorld, loan: { collateral: bigint; amount: bigint; days?: number }): string {
  const id = world.borrow(ATTACKER, loan)
  if (id === undefined) throw new RangeError(`a loan of ${loan.amount} was refused`)
  return id
}

/** Borrows an amount in one order, or in many. */
function splitLoan(seed: number, parts: number): bigint {
  const world = openWorld({ seed, capital: CAPITAL, borrowedPercent: 70 })
  const amount = 150_000n * E18
  const collateral = 480n * E18
  world.give(ATTACKER, 'BNB', collateral)
  const part = { collateral: collateral / BigInt(parts), amount: amount / BigInt(parts) }
  const ids = Array.from({ length: parts }, () => mustBorrow(world, part))
  world.advance(30 * DAY)
  for (const id of ids) world.repay(id)
  return world.wealth([ATTACKER])
}

/** How long a notified borrower takes to repay, in seconds: up to a day. */
const reaction = (world: LendingWorld) => Math.round(3_600 + world.random() * 82_800)

/**
 * The owner of nearly all pledges borrows the rest of the pool over several accounts, to raise the rate of others. Borrowers are
 * notified that their rate has doubled and repay within a day.
 */
function pledgeAndSqueeze(seed: number, squeezes: boolean, old: OldLendingRules): bigint {
  const world = openWorld({ seed, old, capital: PLEDGED, pledged: 100_000n * E18, borrowedPercent: 0 })
  world.pledge(ATTACKER, PLEDGED)
  const others = new Set(
    Array.from({ length: 8 }, (_, index) => {
      world.give(`other ${index}`, 'USDT', 10n * CAPITAL)
      return borrowAt(world, `other ${index}`, 50_000n * E18, 5_500n)
    }),
  )
  const accounts = [SECOND, `${SECOND} 2`, `${SECOND} 3`, `${SECOND} 4`]
  const own = squeezes ? accounts.flatMap((account) => borrowTheRest(world, account)) : []
  for (const account of accounts) world.give(account, 'USDT', CAPITAL)
  const due = new Map<string, number>()
  for (let hour = 0; hour < 72; hour++) {
    world.advance(3_600)
    for (const id of world.notifiedOfRate())
      if (others.has(id) && !due.has(id)) due.set(id, hour * 3_600 + reaction(world))
    for (const [id, at] of due)
      if (others.has(id) && at <= hour * 3_600) {
        world.repay(id)
        others.delete(id)
      }
    if (squeezes && others.size === 0) break
  }
  if (squeezes && others.size > 0) throw new RangeError('a borrower was not notified that the rate has doubled')
  for (const id of own) world.repay(id)
  // The collateral of his own orders is his before and after.
  const given = accounts.reduce((sum, each) => sum + world.inUsdt(world.available(each, 'BNB')) + CAPITAL, 0n)
  return world.wealth([ATTACKER, ...accounts]) - given
}

export function squeeze(seed: number, old: OldLendingRules = {}): bigint {
  return pledgeAndSqueeze(seed, true, old) - pledgeAndSqueeze(seed, false, old)
}

/** Borrows what the caps allow, in two orders. */
function borrowTheRest(world: LendingWorld, account: string): string[] {
  const most = (PLEDGED * 15n) / 100n
  return Array.from({ length: 2 }, () => {
    const { cash } = world.pool
    return cash > 1_000n * E18 ? tryBorrowAt(world, account, cash < most ? cash : most, 6_000n) : undefined
  }).filter((id) => id !== undefined)
}

/**
 * A borrower whose order has reached a ratio clears it with a second account, in parts. @returns the gain beyond repaying or leaving
 * it, and the value of the collateral.
 */
export function selfLiquidation(seed: number, ltv: { from: number; to: number }, old: OldLendingRules = {}) {
  const open = () => {
    const world = openWorld({ seed, old })
    world.insurance = 50_000n * E18
    const id = borrowAt(world, ATTACKER, 100_000n * E18, 6_500n)
    const bps = BigInt(Math.round(100 * (ltv.from + world.random() * (ltv.to - ltv.from))))
    world.setPrice((FIRST_PRICE * 6_500n) / bps)
    for (const owner of [ATTACKER, SECOND]) world.give(owner, 'USDT', 200_000n * E18)
    return { world, id }
  }
  const attack = open()
  const collateral = attack.world.inUsdt(attack.world.order(attack.id).collateral)
  for (let slice = 0; slice < 40; slice++) {
    if (!attack.world.toBeCleared().some(({ id }) => id === attack.id)) break
    const owed = attack.world.owed(attack.world.order(attack.id))
    const part = BigInt(Math.round(Number(owed / E18) * attack.world.random())) * E18
    const isCleared = attack.world.clear(SECOND, attack.id, part > 0n ? part : 'most')
    if (!isCleared) attack.world.clear(SECOND, attack.id)
  }
  if (attack.world.isOpen(attack.id)) attack.world.repay(attack.id)
  // Its wealth counts an order as repaid, or as left where it is worth less than its debt: whichever is better.
  const honest = open()
  const gain = attack.world.wealth([ATTACKER, SECOND]) - honest.world.wealth([ATTACKER, SECOND])
  return { gain, collateral }
}

/** Two hundred orders of the least loan, or one of the same size, on a falling price. */
function dustDebts(seed: number, orders: number): bigint {
  const world = openWorld({ seed, capital: CAPITAL })
  const collateral = 5n * E18
  world.give(ATTACKER, 'BNB', collateral + E18)
  const part = { collateral: collateral / BigInt(orders), amount: (2_000n * E18) / BigInt(orders) }
  const ids = Array.from({ length: orders }, () => mustBorrow(world, part))
  if (orders > 1) {
    // Each of these is refused: one more order, an order below the least loan, a rest of one unit.
    world.borrow(ATTACKER, part)
    world.borrow(ATTACKER, { ...part, amount: 1n })
    for (const id of ids.slice(0, 5)) world.repay(id, world.owed(world.order(id)) - 1n)
  }
  for (let hour = 0; hour < 48; hour++) {
    world.advance(3_600)
    world.setPrice((world.market * BigInt(Math.round(1e6 * Math.exp(0.02 * world.normal() - 0.004)))) / 1_000_000n)
    clearAll(world)
    rebuy(world, collateral + E18)
  }
  return world.wealth([ATTACKER])
}

/** Buys the BNB back that liquidators received, so that a gain is not the luck of the price. */
function rebuy(world: LendingWorld, total: bigint): void {
  const inOrders = world.ordersOf(ATTACKER).reduce((sum, { collateral }) => sum + collateral, 0n)
  world.buy(ATTACKER, total - world.available(ATTACKER, 'BNB') - inOrders)
}

/** Borrows as much as the limit allows, and leaves the order to its liquidators if the price falls. */
function walkAway(seed: number): bigint {
  const world = openWorld({ seed, capital: CAPITAL })
  const id = borrowAt(world, ATTACKER, 100_000n * E18, 6_500n)
  const { collateral } = world.order(id)
  for (let hour = 0; hour < 24 * 30; hour++) {
    world.advance(3_600)
    // A fair price: what it is worth later is on average what it is worth now.
    const step = Math.exp(0.012 * world.normal() - 0.012 ** 2 / 2)
    world.setPrice((world.market * BigInt(Math.round(1e9 * step))) / 1_000_000_000n)
    clearAll(world)
    rebuy(world, collateral)
  }
  return world.wealth([ATTACKER]) - CAPITAL - world.inUsdt(collateral)
}

/** Sends money to a pool that holds the own least pledge alone, so that the first honest pledge is rounded away. */
function inflateShares(seed: number): bigint {
  const world = new LendingWorld(seed)
  const donated = 10_000n * E18
  world.give(ATTACKER, 'USDT', CAPITAL)
  world.pledge(ATTACKER, E18 + BigInt(Math.round(world.random() * 1e6)))
  world.give(ATTACKER, 'USDT', -donated)
  world.donate(donated)
  world.give('pledger', 'USDT', CAPITAL)
  world.pledge('pledger', BigInt(Math.round(1 + world.random() * 20_000)) * E18)
  world.unpledge(ATTACKER)
  return world.wealth([ATTACKER]) - CAPITAL
}

/** Lets an order pass its repayment time, and clears it with a second account instead of repaying it. */
function overdue(seed: number, clears: boolean): bigint {
  const world = openWorld({ seed })
  const collateral = 300n * E18
  world.give(ATTACKER, 'BNB', collateral)
  for (const owner of [ATTACKER, SECOND]) world.give(owner, 'USDT', 100_000n * E18)
  const id = mustBorrow(world, { collateral, amount: 50_000n * E18, days: 7 })
  world.advance(7 * DAY)
  if (clears) {
    const part = BigInt(Math.round(10 + 20_000 * world.random())) * E18
    world.clear(SECOND, id, part)
    world.clear(SECOND, id)
  } else world.repay(id)
  return world.wealth([ATTACKER, SECOND])
}

/** One exchange shows a price that the other source does not: the attacker tries to clear honest orders by it. */
function wick(seed: number): bigint {
  const world = openWorld({ seed, capital: CAPITAL })
  world.setPrice(FIRST_PRICE, [(FIRST_PRICE * 55n) / 100n, FIRST_PRICE])
  for (const { id } of world.orders) world.clear(ATTACKER, id)
  const near = BigInt(Math.round(9_100 + world.random() * 800))
  world.setPrice(FIRST_PRICE, [(FIRST_PRICE * near) / 10_000n, FIRST_PRICE])
  for (const { id } of world.orders) world.clear(ATTACKER, id)
  return world.wealth([ATTACKER]) - CAPITAL
}

export default [
  strategy('leave-after-loss', 'withdraws a pledge between the fall of a price and the liquidations', {
    run: (seed) => ({ gain: leaveAfterLoss(seed), bound: 0n }),
  }),
  strategy('leave-before-loss', 'withdraws a pledge while orders are near their loss, before it can be known', {
    bound: 'the own part of the later loss',
    run(seed) {
      const { gain, lost } = leavingEarly({ seed, shown: 'near' })
      return { gain, bound: lost }
    },
  }),
  strategy('leave-while-apart', 'withdraws a pledge while one of two sources is 9% behind the market', {
    run: (seed) => ({ gain: leavingEarly({ seed, shown: 'apart' }).gain, bound: 0n }),
  }),
  strategy('leave-by-one-source', 'withdraws a pledge while one source alone shows that the market falls', {
    run: (seed) => ({ gain: leavingEarly({ seed, shown: 'alone' }).gain, bound: 0n }),
  }),
  strategy('leave-in-outage', 'withdraws a pledge while no source is fresh and the market falls', {
    bound: 'the own part of what the market fell beyond a fifth',
    run(seed) {
      const { gain, hidden } = leavingEarly({ seed, shown: 'none' })
      return { gain, bound: hidden }
    },
  }),
  strategy('pledge-into-insurance', 'pledges nine times the pool into a known loss, before insurance pays', {
    capital: '9,000,000 USDT',
    run: (seed) => ({ gain: pledgeIntoLoss(seed, 'insurance'), bound: 0n }),
  }),
  strategy('pledge-into-recovery', 'pledges nine times the pool into a known loss, before the price returns', {
    capital: '9,000,000 USDT',
    run: (seed) => ({ gain: pledgeIntoLoss(seed, 'recovery'), bound: 0n }),
  }),
  strategy('pledge-for-a-second', 'pledges for a second around each large repayment', {
    capital: '5,000,000 USDT',
    run: (seed) => ({ gain: pledgeForSecond(seed, true) - pledgeForSecond(seed, false), bound: 0n }),
  }),
  strategy('rate-by-pledge', 'pledges for a day before borrowing, to borrow at a low rate', {
    capital: '5,000,000 USDT',
    run: (seed) => ({ gain: rateByPledge(seed, true) - rateByPledge(seed, false), bound: 0n }),
  }),
  strategy('split-loan', 'splits a loan into fifteen orders', {
    run: (seed) => ({ gain: splitLoan(seed, 15) - splitLoan(seed, 1), bound: 0n }),
  }),
  strategy('rate-squeeze', 'borrows the rest of the pool that he pledged himself, to raise the rate of others', {
    capital: '1,000,000 USDT and collateral',
    run: (seed) => ({ gain: squeeze(seed), bound: 0n }),
  }),
  strategy('self-liquidation', 'clears his own order with a second account, from 83 to 98%', {
    capital: '200,000 USDT',
    run: (seed) => ({ gain: selfLiquidation(seed, { from: 83, to: 98 }).gain, bound: 0n }),
  }),
  strategy('self-liquidation-deep', 'clears his own order with a second account, from 98.04 to 150%', {
    capital: '200,000 USDT',
    bound: '2% of the collateral',
    run(seed) {
      const { gain, collateral } = selfLiquidation(seed, { from: 98.05, to: 150 })
      return { gain, bound: collateral / 50n }
    },
  }),
  strategy('overdue-order', 'lets an order pass its time and clears it with a second account', {
    run: (seed) => ({ gain: overdue(seed, true) - overdue(seed, false), bound: 0n }),
  }),
  strategy('dust-debts', 'keeps 200 orders of the least loan instead of one order', {
    holds: 'mean',
    run: (seed) => ({ gain: dustDebts(seed, 200) - dustDebts(seed, 1), bound: 0n }),
  }),
  strategy('walk-away', 'borrows up to the limit and never repays where the price falls', {
    holds: 'mean',
    run: (seed) => ({ gain: walkAway(seed), bound: 0n }),
  }),
  strategy(
    'inflated-shares',
    'sends money to a pool of his own least pledge, so that the first honest pledge is rounded away',
    {
      run: (seed) => ({ gain: inflateShares(seed), bound: 0n }),
    },
  ),
  strategy('wick', 'clears orders by the price of one exchange that no other source shows', {
    run: (seed) => ({ gain: wick(seed), bound: 0n }),
  }),
] satisfies readonly Strategy[]
