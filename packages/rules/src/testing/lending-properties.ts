import { maxUnits, minUnits } from '@clearwell/money/min-max'
import fc from 'fast-check'
import { growIndex, RAY } from '../borrow-index.ts'
import { leastCollateral } from '../loan.ts'
import { valueOfShares } from '../loan-pool.ts'
import { anyBook, anyTokens, bookOf, checkWorld } from './loan-book.ts'
import { LoanWorld, USDT_CURVE } from './loan-world.ts'
import { anySeconds, E18, LIMITS } from './loans.ts'

/** A claim about every sequence of commands. Tests try some thousands, `npm run sim -- lending` a million. */
export interface LendingProperty {
  readonly name: string
  /**
   * @param record gets what each sequence gained, in base units of USDT. A gain above rounding throws.
   */
  of(record: (gain: bigint) => void): fc.IRawProperty<unknown>
}

const ATTACKER = 'attacker'
const anyShare = fc.bigInt({ min: 1n, max: 10_000n })

/** @throws Error if a gain is above a few units of 10^-18 for each command. */
function requireNoGain(gain: bigint, rounding: bigint): void {
  if (gain > rounding) throw new Error(`gained ${gain} units, ${rounding} are rounding`)
}

const anyStep = fc.record({
  kind: fc.constantFrom('wait', 'pledge', 'unpledge', 'leave', 'open', 'repay', 'end', 'clear', 'price', 'poke'),
  who: fc.nat(2),
  amount: anyTokens,
  part: anyShare,
})
type Step = typeof anyStep extends fc.Arbitrary<infer Value> ? Value : never

/** One command of an account, sized to what it has. */
function act(world: LoanWorld, { kind, who, amount, part }: Step, user: string): void {
  const id = `${user} ${who}`
  const debt = world.debtOf(id)
  const actions: Record<Step['kind'], () => unknown> = {
    wait: () => world.wait(amount % 1_000_000n),
    pledge: () => world.pledge(user, amount),
    unpledge: () => world.unpledge(user, (amount * part) / 10_000n),
    leave: () => world.unpledge(user, 'all'),
    open: () => {
      const borrowed = (world.pool.cash * part) / 10_000n
      const collateral = leastCollateral(borrowed, world.prices, LIMITS)
      return borrowed > 0n && world.open(id, user, { amount: borrowed, collateral })
    },
    repay: () => world.repay(id, maxUnits(1n, (debt * part) / 10_000n)),
    end: () => world.repay(id, debt),
    clear: () => world.clear(id, 'liquidator', part > 5_000n ? 'most' : maxUnits(1n, (debt * part) / 10_000n)),
    price: () => {
      world.priceE18 = maxUnits(E18, (world.priceE18 * (5_000n + part)) / 10_000n)
    },
    poke: () => world.poke(),
  }
  actions[kind]()
}

const books: LendingProperty = {
  name: 'books: cash and debts are the pool, the index knows the loss of all orders',
  of: (record) =>
    fc.property(anyBook, fc.array(anyStep, { maxLength: 20 }), (plan, steps) => {
      const world = bookOf(plan)
      const insured = world.insurance
      checkWorld(world, insured)
      for (const step of steps) {
        act(world, step, `user ${step.who}`)
        checkWorld(world, insured)
      }
      record(0n)
    }),
}

const oneMoment: LendingProperty = {
  name: 'one moment: pledge, leave, borrow, repay and poke in any order',
  of: (record) => {
    const kinds = new Set<Step['kind']>(['pledge', 'unpledge', 'leave', 'open', 'repay', 'end', 'poke'])
    const steps = fc.array(
      anyStep.filter(({ kind }) => kinds.has(kind)),
      { minLength: 1, maxLength: 20 },
    )
    return fc.property(anyBook, steps, (plan, each) => {
      const world = bookOf(plan)
      const before = world.commands
      for (const step of each) act(world, step, ATTACKER)
      const gain = world.gainOf(ATTACKER)
      record(gain)
      requireNoGain(gain, 2n * (world.commands - before))
    })
  },
}

const splitting: LendingProperty = {
  name: 'splitting: many orders, and many payments, instead of one',
  of: (record) =>
    fc.property(
      anyBook,
      fc.array(anyShare, { minLength: 2, maxLength: 10 }),
      anySeconds,
      anyShare,
      (plan, parts, seconds, paidBps) => {
        const amounts = (cash: bigint) => parts.map((part) => (cash * part) / 200_000n + 1n)
        const owed = (isSplit: boolean) => {
          const world = bookOf(plan)
          const each = amounts(world.pool.cash)
          const total = each.reduce((sum, amount) => sum + amount, 0n)
          if (total > world.pool.cash) return 0n
          for (const [index, amount] of (isSplit ? each : [total]).entries())
            world.open(`${ATTACKER} ${index}`, ATTACKER, { amount, collateral: E18 ** 2n })
          world.wait(seconds)
          const payment = ((each[0] ?? 0n) * paidBps) / 10_000n
          for (const part of isSplit ? [payment / 3n, payment - payment / 3n] : [payment])
            world.repay(`${ATTACKER} 0`, part)
          const debts = [...world.orders.values()].filter(({ owner }) => owner === ATTACKER)
          return debts.reduce((sum, { id }) => sum + world.debtOf(id), -(world.usdt.get(ATTACKER) ?? 0n))
        }
        const gain = owed(false) - owed(true)
        record(gain)
        requireNoGain(gain, 0n)
      },
    ),
}

const poking: LendingProperty = {
  name: 'poking: accruals in between lower no debt and raise none beyond rounding',
  of: (record) =>
    fc.property(anyBook, fc.array(anySeconds, { maxLength: 20 }), (plan, waits) => {
      const [calm, poked] = [bookOf(plan), bookOf(plan)]
      for (const seconds of waits) {
        poked.wait(seconds)
        poked.poke()
      }
      calm.wait(waits.reduce((sum, each) => sum + each, 0n))
      const gain = calm.pool.indexE27 - poked.pool.indexE27
      record(gain)
      requireNoGain(gain, 0n)
      // Each rounding of 10^-27 grows as the index does.
      const most = (BigInt(waits.length) + 1n) * (poked.pool.indexE27 / RAY + 1n)
      if (-gain > most) throw new Error(`pokes raised the index by ${-gain}`)
    }),
}

/** The most that a short pledge can save: the whole rate meanwhile, and the ramp until both rates meet again. */
function mostSaved(debt: bigint, seconds: bigint): bigint {
  const [rangeE18, rampSeconds] = [750_000_000_000_000_000n, 36_000n]
  const gapE18 = minUnits(rangeE18, (2n * rangeE18 * seconds) / rampSeconds)
  const areaE18 = (rangeE18 + 45_000_000_000_000_000n) * seconds + gapE18 * (2n * rampSeconds)
  const growth = growIndex(RAY, (areaE18 * E18) / 31_536_000n)
  return (debt * (growth - RAY)) / RAY + 2n
}

const shortPledge: LendingProperty = {
  name: 'short pledge: of a second to a day before borrowing, to make the loan cheap',
  of: (record) => {
    // An order takes at most a fifth of the pool, for at most 180 days.
    const anyOrder = fc.record({ part: fc.bigInt({ min: 1n, max: 2_000n }), term: anySeconds.map((each) => each / 2n) })
    return fc.property(
      anyBook,
      anyTokens,
      anyOrder,
      fc.bigInt({ min: 0n, max: 86_400n }),
      (plan, amount, { part, term }, held) => {
        const run = (pledged: bigint) => {
          const world = bookOf({ ...plan, priceBps: 10_000n })
          const borrowed = (world.pool.cash * part) / 10_000n
          if (pledged > 0n) world.pledge(ATTACKER, pledged)
          if (borrowed > 0n) world.open('own', ATTACKER, { amount: borrowed, collateral: E18 ** 2n })
          world.wait(held)
          if (pledged > 0n) world.unpledge(ATTACKER, 'all')
          const lost = maxUnits(0n, borrowed - (world.usdt.get(ATTACKER) ?? 0n))
          world.wait(term)
          // While shares are left, the pledge is no short one.
          return { cost: world.debtOf('own') + lost, isOut: (world.shares.get(ATTACKER) ?? 0n) === 0n }
        }
        const [alone, helped] = [run(0n), run(amount)]
        if (!helped.isOut) return
        const gain = alone.cost - helped.cost - mostSaved(alone.cost, held)
        record(gain)
        requireNoGain(gain, 100n)
      },
    )
  },
}

/** The most that can be borrowed before the utilisation is above the kink. */
function upToKink({ pool: { cash, borrowed } }: LoanWorld): bigint {
  return maxUnits(0n, ((cash + borrowed) * USDT_CURVE.kinkE18) / E18 - borrowed)
}

const squeeze: LendingProperty = {
  name: 'squeeze: borrowing from the own pool beyond the kink, instead of up to it',
  of: (record) =>
    fc.property(anyBook, anyTokens, anyShare, anySeconds, (plan, amount, part, seconds) => {
      const run = (isBeyond: boolean) => {
        const world = bookOf({ ...plan, priceBps: 10_000n })
        world.pledge(ATTACKER, amount)
        const most = (world.pool.cash * part) / 10_000n
        const borrowed = isBeyond ? most : minUnits(most, upToKink(world))
        if (borrowed > 0n) world.open('own', ATTACKER, { amount: borrowed, collateral: E18 ** 2n })
        world.wait(seconds)
        for (const { id } of [...world.orders.values()]) world.repay(id, world.debtOf(id))
        return { gain: world.gainOf(ATTACKER), commands: world.commands }
      }
      const [beyond, upTo] = [run(true), run(false)]
      const gain = beyond.gain - upTo.gain
      record(gain)
      requireNoGain(gain, 2n * beyond.commands)
    }),
}

const flashPledge: LendingProperty = {
  name: 'flash pledge: around a clearing with insurance, or a price that returns',
  of: (record) =>
    fc.property(anyBook, anyTokens, fc.boolean(), anyShare, (plan, amount, isCleared, rise) => {
      const worldAfter = (pledged: bigint) => {
        const world = bookOf(plan)
        if (pledged > 0n) world.pledge(ATTACKER, pledged)
        if (isCleared) for (const { id } of [...world.orders.values()]) world.clear(id, ATTACKER, 'most')
        else world.priceE18 += (world.priceE18 * rise) / 10_000n
        return world
      }
      // The bonus of clearing is earned without the pledge too.
      const [without, pledged] = [worldAfter(0n), worldAfter(amount)]
      const gain = pledged.gainOf(ATTACKER) - without.gainOf(ATTACKER)
      record(gain)
      requireNoGain(gain, 2n * pledged.commands)
    }),
}

const leaving: LendingProperty = {
  name: 'leaving: before a known loss is booked, instead of after',
  of: (record) =>
    fc.property(anyBook, (plan) => {
      const world = bookOf({ ...plan, insuranceBps: 0n })
      const pledger = 'pledger 0'
      const owned = world.shares.get(pledger) ?? 0n
      const before = valueOfShares(world.pool, owned, world.terms())
      for (const { id } of [...world.orders.values()]) world.clear(id, 'liquidator', 'most')
      const after = valueOfShares(world.pool, owned, world.terms())
      record(before - after)
      requireNoGain(before - after, 2n * world.commands)
    }),
}

const priceUnknown: LendingProperty = {
  name: 'price unknown: leaving at 80 % of the last price, instead of waiting for one above it',
  of: (record) =>
    fc.property(anyBook, fc.bigInt({ min: 8_000n, max: 30_000n }), (plan, nextBps) => {
      const world = bookOf(plan)
      const owned = world.shares.get('pledger 0') ?? 0n
      const now = valueOfShares(world.pool, owned, world.terms(8_000n))
      // Rounded up: at exactly 80 % the two are equal.
      world.priceE18 = (world.priceE18 * nextBps + 9_999n) / 10_000n
      const gain = now - valueOfShares(world.pool, owned, world.terms())
      record(gain)
      requireNoGain(gain, 0n)
    }),
}

const selfLiquidation: LendingProperty = {
  name: 'self-liquidation: in parts, by the second account of the borrower',
  of: (record) =>
    fc.property(
      anyTokens,
      fc.bigInt({ min: 8_300n, max: 20_000n }),
      fc.array(fc.bigInt({ min: 1n, max: 10_000n }), { maxLength: 6 }),
      (debt, ltvBps, parts) => {
        const world = new LoanWorld()
        world.pledge('pledger', debt)
        const collateral = leastCollateral(debt, world.prices, { ...LIMITS, initialBps: ltvBps })
        // Opened while BNB was dear.
        world.priceE18 *= 10n
        world.open('own', ATTACKER, { amount: debt, collateral })
        world.priceE18 /= 10n
        world.insurance = debt
        const worth = (collateral * world.priceE18) / E18
        const isCovered = worth * 10_000n >= debt * 10_200n
        const start = world.gainOf(ATTACKER)
        for (const part of parts) world.clear('own', ATTACKER, maxUnits(1n, (world.debtOf('own') * part) / 10_000n))
        world.clear('own', ATTACKER, 'most')
        // Against repaying, or walking away where the debt is more than the collateral.
        const gain = world.gainOf(ATTACKER) - maxUnits(start, start + debt - worth)
        record(isCovered ? gain : gain - worth / 50n)
        requireNoGain(gain, (isCovered ? 0n : worth / 50n) + 2n * world.commands)
      },
    ),
}

export const LENDING_PROPERTIES = {
  books,
  oneMoment,
  splitting,
  poking,
  shortPledge,
  squeeze,
  flashPledge,
  leaving,
  priceUnknown,
  selfLiquidation,
} satisfies Readonly<Record<string, LendingProperty>>
