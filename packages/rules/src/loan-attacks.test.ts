import { expect, test } from 'vitest'
import { newPool, pledge, valueIn, valueOfShares, valueOut } from './loan-pool.ts'
import { currentRate } from './pool-rate.ts'
import { LoanWorld, PART_RULES, RESERVE_BPS } from './testing/loan-world.ts'
import { E18 } from './testing/loans.ts'

/** A pool of a million USDT with one order of 200,000, and a price at which it owes a multiple of its collateral. */
function worldWithOrder({ ltvBps, insurance }: { readonly ltvBps: bigint; readonly insurance: bigint }): LoanWorld {
  const world = new LoanWorld()
  world.pledge('pledger', 1_000_000n * E18)
  world.insurance = insurance
  // 513 BNB at 600 USDT: 65 %.
  world.open('order', 'borrower', { amount: 200_000n * E18, collateral: 513n * E18 })
  world.priceE18 = (200_000n * E18 * 10_000n) / (513n * ltvBps)
  return world
}

/**
 * @attack R04 With 9,000,000 USDT for some seconds around a loss of 14,000 that insurance pays: +12,618 USDT.
 * @holds The pledge buys at the full value and leaves at it: 0.
 */
test('a flash pledge of nine million around insurance gains 0', () => {
  const world = worldWithOrder({ ltvBps: 10_540n, insurance: 20_000n * E18 })
  // By hand: 200,000 - 200,000 ÷ 1.054 ÷ 1.02 = 13,967.33.
  expect(world.terms().knownLoss / E18).toBe(13_967n)
  world.pledge('attacker', 9_000_000n * E18)
  const done = world.clear('order', 'liquidator', 'most')
  expect(done?.paidByInsurance).toBe(done?.shortfall)
  world.unpledge('attacker', 'all')
  expect(world.usdt.get('attacker')).toBeLessThanOrEqual(0n)
  expect(world.usdt.get('attacker')).toBeGreaterThan(-10n)
})

/**
 * @attack R04 A pledge while an order is at LTV 110% and leaving after the price rose by 6%: +9,647 USDT of 200,000.
 * @holds A pledge into a loss never gains by its recovery, and loses its part if it leaves before.
 */
test('a pledge into a loss gains nothing when the price returns', () => {
  const world = worldWithOrder({ ltvBps: 11_000n, insurance: 0n })
  world.pledge('attacker', 1_000_000n * E18)
  // 200,000 - 200,000 ÷ 1.1 ÷ 1.02 = 21,746.88, of which the attacker would lose half.
  expect(-world.gainOf('attacker') / E18).toBe(10_873n)
  world.priceE18 = (world.priceE18 * 106n) / 100n
  expect(world.gainOf('attacker')).toBeLessThan(0n)
  world.priceE18 *= 2n
  world.unpledge('attacker', 'all')
  expect(world.usdt.get('attacker')).toBeLessThanOrEqual(0n)
})

/**
 * @attack S07 A pledger withdrew 1,000 USDT in full beside an order at LTV 97%, and others paid his part of the loss.
 * @holds Both of two pledgers bear the same part of a known loss, in any order of leaving.
 */
test('two pledgers bear a known loss alike in any order', () => {
  const world = worldWithOrder({ ltvBps: 11_000n, insurance: 0n })
  world.pledge('second', 1_000_000n * E18)
  const worthOf = (user: string) => valueOfShares(world.pool, world.shares.get(user) ?? 0n, world.terms())
  const [first, second] = [worthOf('pledger'), worthOf('second')]
  expect(first).toBe(second)
  // Each bears half of 200,000 - 200,000 ÷ 1.1 ÷ 1.02 = 21,746.88.
  expect((1_000_000n * E18 - first) / E18).toBe(10_873n)
  world.unpledge('pledger', 'all')
  for (const step of ['left', 'booked']) {
    if (step === 'booked') world.clear('order', 'liquidator', 'most')
    expect(worthOf('second') - second).toBeGreaterThanOrEqual(0n)
    expect(worthOf('second') - second).toBeLessThan(10n)
  }
})

test('a pool whose orders are all under water stops pledges', () => {
  const world = new LoanWorld()
  world.pledge('pledger', 1_000n * E18)
  world.open('order', 'borrower', { amount: 1_000n * E18, collateral: 3n * E18 })
  world.priceE18 = 0n
  const terms = world.terms()
  expect(valueOut(world.pool, terms)).toBe(0n)
  expect(valueIn(world.pool, RESERVE_BPS)).toBe(1_000n * E18)
  expect(world.pledge('newcomer', 1_000n * E18)).toBe(false)
  expect(world.unpledge('pledger', 'all')).toBe(false)
  // A recovery opens it again.
  world.priceE18 = 600n * E18
  expect(world.pledge('newcomer', 1_000n * E18)).toBe(true)
})

/**
 * @attack R11 From LTV 98.04 to 100% the draft promised that the debt is paid in full and that a bonus of 2% is left.
 * @holds Below collateral of debt × 1.02 the liquidator pays its value ÷ 1.02; at 98.04% both rules give the same.
 */
test('between 98.04 and 100% the payment falls evenly to value ÷ 1.02', () => {
  const paidAt = (ltvBps: bigint) => {
    const done = worldWithOrder({ ltvBps, insurance: 0n }).clear('order', 'liquidator', 'most')
    return done && { paid: done.paid / E18, shortfall: done.shortfall / E18 }
  }
  expect(paidAt(9_803n)).toEqual({ paid: 200_000n, shortfall: 0n })
  // By hand: 200,000 ÷ 0.99 ÷ 1.02 = 198,059.02 and 200,000 ÷ 1.02 = 196,078.43.
  expect(paidAt(9_900n)).toEqual({ paid: 198_059n, shortfall: 1_940n })
  expect(paidAt(10_000n)).toEqual({ paid: 196_078n, shortfall: 3_921n })
})

/**
 * @attack R12 Parts of a liquidation in the same second, to raise the ratio of the rest or to shift the loss to the last part.
 * @holds A part never raises the ratio, and parts together lose as much as the whole in one payment.
 */
test('parts of a liquidation never raise the ratio or move the loss', () => {
  for (const ltvBps of [8_300n, 8_900n, 9_100n, 9_259n, 9_700n, 9_804n, 10_000n, 12_000n]) {
    const world = worldWithOrder({ ltvBps, insurance: 0n })
    const whole = worldWithOrder({ ltvBps, insurance: 0n }).clear('order', 'liquidator', 'most')
    let lost = 0n
    for (let parts = 0; world.orders.size > 0 && parts < 60; parts++) {
      const part = world.debtOf('order') / 3n
      const done = world.clear('order', 'liquidator', part) ?? world.clear('order', 'liquidator', 'most')
      // A part has cured it.
      if (!done) break
      if (done.after.ltvE18) expect(done.after.ltvE18).toBeLessThanOrEqual((done.ltvE18 ?? 0n) + 1n)
      lost += done.shortfall
    }
    const moved = lost - (whole?.shortfall ?? 0n)
    // Each part rounds one unit of BNB, which is worth hundreds of units of USDT.
    expect(moved < 0n ? -moved : moved).toBeLessThan(60n * 600n)
    if (ltvBps <= 9_803n) expect(lost).toBe(0n)
  }
})

/**
 * @attack S11 An order of the whole pool could be cleared only by somebody with as much money inside.
 * @holds Anybody with the least loan can clear a part, as often as needed.
 */
test('an order of 200,000 is cleared by payments of 10', () => {
  const world = worldWithOrder({ ltvBps: 8_500n, insurance: 0n })
  const before = world.debtOf('order')
  for (let payments = 0; payments < 5; payments++) {
    const done = world.clear('order', 'liquidator', PART_RULES.leastLoan)
    expect(done?.paid).toBe(10n * E18)
    // 8 % more, and the collateral is rounded down.
    expect(((done?.received ?? 0n) * world.priceE18) / E18).toBeGreaterThan((108n * E18) / 10n - 10n ** 6n)
  }
  expect(before - world.debtOf('order')).toBe(50n * E18)
})

/**
 * @attack S10 A loan of 3,370 USDT was quoted 1.95%, and 0.99% after 9,800 USDT were pledged for a day.
 * @holds Over 180 days the pledge of one day changes the cost of the loan by the interest of that day.
 */
test('a pledge of a day saves one day of interest', () => {
  const costWith = (pledged: bigint) => {
    const world = new LoanWorld()
    world.pledge('pledger', 9_700n * E18)
    if (pledged > 0n) world.pledge('attacker', pledged)
    world.open('own', 'attacker', { amount: 3_370n * E18, collateral: 100n * E18 })
    world.wait(86_400n)
    if (pledged > 0n) world.unpledge('attacker', 'all')
    world.wait(179n * 86_400n)
    return world.debtOf('own') - 3_370n * E18
  }
  const [alone, helped] = [costWith(0n), costWith(9_800n * E18)]
  // 3,370 × 1.954 % × 180 ÷ 365 = 32.5 USDT, and a day of it is 0.18.
  expect(alone / E18).toBe(32n)
  expect(alone - helped).toBeGreaterThan(0n)
  expect(alone - helped).toBeLessThan(E18 / 10n)
})

/**
 * @attack R15 The owner of the pledges borrowed his own pool: others who owed 400,000 USDT paid him 625 USDT a day more.
 * @holds The rate rises by a tenth of its range an hour, so others have paid less than 3 USDT more when they can repay.
 */
test('squeezing the own pool gains little before others can repay', () => {
  const run = (borrowed: bigint) => {
    const world = new LoanWorld()
    world.pledge('attacker', 1_000_000n * E18)
    world.open('victim', 'victim', { amount: 400_000n * E18, collateral: 2_000n * E18 })
    if (borrowed > 0n) world.open('own', 'attacker', { amount: borrowed, collateral: 5_000n * E18 })
    const rates = [currentRate(world.pool.rate)]
    world.wait(3_600n)
    rates.push(currentRate(world.pool.rate))
    return { gain: world.gainOf('attacker'), victim: world.debtOf('victim'), rates }
  }
  const [calm, squeezed] = [run(0n), run(590_000n * E18)]
  expect(squeezed.victim - calm.victim).toBeLessThan(3n * E18)
  expect(squeezed.gain - calm.gain).toBeLessThan(2n * E18)
  // 2.25 %, then 4.5 % immediately, and 12 % after an hour instead of 75.75 %.
  expect(calm.rates[0]).toBe(22_500_000_000_000_000n)
  expect(squeezed.rates[0]).toBe(45_000_000_000_000_000n)
  expect(squeezed.rates[1]).toBe(119_999_999_999_998_800n)
})

/** A pool of 1,100,000 USDT, nearly all of one owner, from which eight others borrow 400,000. What the owner has after three days. */
function ownerAfter(act: (world: LoanWorld) => void): bigint {
  const world = new LoanWorld()
  world.pledge('pledger', 100_000n * E18)
  world.pledge('owner', 1_000_000n * E18)
  for (let id = 0; id < 8; id++)
    world.open(`other ${id}`, `other ${id}`, { amount: 50_000n * E18, collateral: 1_000n * E18 })
  act(world)
  world.wait(3n * 86_400n)
  for (const { id } of [...world.orders.values()]) world.repay(id, world.debtOf(id))
  return world.gainOf('owner')
}

const borrowOwn = (amount: bigint) => (world: LoanWorld) =>
  void world.open('own', 'owner', { amount, collateral: 10_000n * E18 })

/**
 * @attack R15 The owner of nearly all pledges borrowed the rest of the pool until the others had repaid: up to 122 USDT a day.
 * @holds Interest from above the kink goes to insurance, so raising the rate above it costs the own interest and earns nothing.
 */
test('borrowing the rest of the own pool loses money', () => {
  const calm = ownerAfter(() => {})
  expect(ownerAfter(borrowOwn(700_000n * E18)) - calm).toBeLessThan(-1_000n * E18)
})

test('raising the rate to the kink earns less than lending less', () => {
  // 480,000 of 1,100,000: 80 % is lent.
  const lentLess = ownerAfter((world) => world.unpledge('owner', 600_000n * E18))
  expect(ownerAfter(borrowOwn(480_000n * E18))).toBeLessThan(lentLess)
})

test('a donation to a pool returns less than was given', () => {
  const pool = newPool(0n)
  const own = pledge(pool, 10n, { reserveBps: RESERVE_BPS, knownLoss: 0n })
  if (typeof own === 'string') throw new Error(own)
  const donated = { ...own.pool, cash: own.pool.cash + 1_000_000n }
  expect(valueOfShares(donated, own.shares, { reserveBps: RESERVE_BPS, knownLoss: 0n })).toBeLessThan(1_000_010n)
})
