import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { delayRoot, washInRt, withholdSeed } from './box-operator.ts'
import { washForBoxes } from './box-runs.ts'
import { emptyClicks, LONE } from './box-strategies.ts'
import { runStrategy } from './economy.ts'
import { firstStar } from './hub-strategies.ts'
import { leaveAfterLoss, leavingEarly, pledgeIntoLoss } from './lending-pledges.ts'
import { selfLiquidation, squeeze } from './lending-strategies.ts'
import { STRATEGIES } from './strategies.ts'
import { NOTHING_GAINED } from './strategy.ts'

/** A mean has a confidence interval from two runs on; a bound of every run is exact. */
const runsOf = (holds: 'always' | 'mean') => (holds === 'mean' ? 2 : 1)

/**
 * @attack A50 One attacker tries every strategy of the reviews and more of his own beside honest users.
 * @holds None gains more than honest use of the same capital, beyond the bounds in docs/concepts/economy.md.
 * @attack A51 A borrower clears his own order with a second account, below a ratio of 98.04%.
 * @holds It costs as much as repaying the order.
 * @attack A52 An attacker pledges nine times the pool into a known loss, before insurance or the market makes it good.
 * @holds Shares are bought without the known loss, so he pays for what comes back.
 * @attack A53 Two hundred orders of the least loan instead of one, to be cleared later.
 * @holds Each is cleared whole at the limit: they cost more than one order.
 * @attack A54 Moving a pool within its band around one honest trade.
 * @holds The fees of both ways are more than the trade brings.
 * @attack A56 Boxes of accounts without fees, of a lone clicker, of washed fees, on quiet days, and withheld seeds.
 * @holds None is paid more than its fees brought in; a withheld day costs the operator more than it brings.
 * @attack A55 Stars in the last minute of a day, in many accounts, in a deep line, or beside bare deposits.
 * @holds A unit of weight earns the same for everyone, and only for whole days.
 */
test.each(STRATEGIES.map((strategy) => [strategy.name, strategy] as const))(
  '%s gains no more than its bound',
  (_name, strategy) => {
    const result = runStrategy(strategy, { runs: runsOf(strategy.holds), seed: 7 })
    const found = `mean ${result.mean}, worst ${result.worst}, bound ${result.bound}`
    expect(result.holds, found).toBe(true)
  },
)

test('the page on the economy explains each bound above 0', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/concepts/economy.md'), 'utf8')
  const [, explained = ''] = /## Gains that the rules allow([^#]*)/.exec(page) ?? []
  const bounded = STRATEGIES.filter(({ bound }) => bound !== NOTHING_GAINED).map(({ name }) => name)
  const rows = [...explained.matchAll(/^\| `([\w-]+)`/gm)].map(([, name]) => name)
  expect(rows.toSorted()).toEqual(bounded.toSorted())
})

/** A simulation that cannot find the old faults is worth nothing. */
describe('finds the gain of the old rule', () => {
  const seeds = [1, 2, 3, 4, 5]
  const mean = (gainOf: (seed: number) => bigint) =>
    [1, 2].reduce((sum, seed) => sum + Number(gainOf(seed) / 10n ** 15n) / 2_000, 0)
  const best = (gainOf: (seed: number) => bigint) => Math.max(...seeds.map((seed) => Number(gainOf(seed) / 10n ** 18n)))

  test('leaving at full value before a loss is booked gains', () => {
    expect(best((seed) => leaveAfterLoss(seed, { noKnownLoss: true }))).toBeGreaterThan(100)
  })

  test('one share value sells recovery and insurance to newcomers', () => {
    expect(best((seed) => pledgeIntoLoss(seed, 'recovery', { oneValue: true }))).toBeGreaterThan(100)
    expect(best((seed) => pledgeIntoLoss(seed, 'insurance', { oneValue: true }))).toBeGreaterThan(100)
  })

  test('a bonus above the collateral pays a borrower who clears himself', () => {
    const gainOf = (seed: number) => selfLiquidation(seed, { from: 95, to: 98 }, { wholeBonus: true }).gain
    expect(best(gainOf)).toBeGreaterThan(100)
  })

  test('a release in full pays the first star for being alone', () => {
    expect(best((seed) => firstStar(seed, { maxPerWeight: 10n ** 24n }))).toBeGreaterThan(100)
  })

  test('a part of a full pot pays a lone clicker', () => {
    const gain = washForBoxes(1, { ...LONE, old: { wholePot: true } })
    expect(Number(gain / 10n ** 18n)).toBeGreaterThan(10_000)
  })

  test('equal power pays accounts without fees', () => {
    expect(emptyClicks(1, { equalPower: true })).toBeGreaterThan(0n)
  })

  test('a void day that costs nothing pays for keeping the seed back', () => {
    const old = { wholePot: true, freeVoid: true }
    expect(mean((seed) => withholdSeed(seed, { others: 9, threshold: 0.9, old, days: 90 }))).toBeGreaterThan(100)
  })

  test('a block of the operator’s choice pays for a late root', () => {
    expect(mean((seed) => delayRoot(seed, { anyBlock: true }))).toBeGreaterThan(10)
  })

  test('a source that does not count pays leavers who see it', () => {
    expect(best((seed) => leavingEarly({ seed, shown: 'alone', old: { noReading: true } }).gain)).toBeGreaterThan(100)
  })

  test('interest above the kink pays pledgers who raise the rate', () => {
    expect(best((seed) => squeeze(seed, { steepInterest: true }))).toBeGreaterThan(20)
  })

  test('a known loss at the mean pays leavers while sources part', () => {
    const gainOf = (seed: number) => leavingEarly({ seed, shown: 'apart', old: { lossAtMean: true } }).gain
    expect(best(gainOf)).toBeGreaterThan(100)
  })

  test('a fee at the price of the swap pays for raising RT', () => {
    expect(washInRt(1, { up: 1.28, pumps: 2, old: { ownPrice: true } }) / 10n ** 18n).toBeGreaterThan(100n)
  })
})
