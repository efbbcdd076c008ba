import { beforeEach, describe, expect, test } from 'vitest'
import { LOAN_STATUS, loans } from '../../domain/lending/lending.tables.ts'
import { lostPrices, pricesAt, pricesBetween } from '../../domain/lending/testing/known-prices.ts'
import { type LendingLedger, units } from '../../testing/lending-ledger.ts'
import { judgeLoans } from './judge-loans.ts'
import { noticesOf } from './loan-notices.ts'
import { newPledgedPool, refused } from './testing/pledged-pool.ts'

const DAY = 86_400

let ledger: LendingLedger
beforeEach(() => {
  ledger = newPledgedPool()
})

const statusOf = (orderId: string) => ledger.row(loans, orderId)?.status

describe('the status of a loan', () => {
  let id: string
  beforeEach(() => {
    id = ledger.borrow('user', '9', '3510').order_id
  })

  test('is to be cleared at the limit, and normal when cured', () => {
    ledger.setPrice('469.879518072289156627')
    ledger.judge(id)
    expect(statusOf(id)).toBe(LOAN_STATUS.normal)
    ledger.setPrice('469.879518072289156626')
    ledger.judge(id)
    expect(statusOf(id)).toBe(LOAN_STATUS.toBeCleared)
    ledger.setPrice('469')
    expect(ledger.addCollateral('user', id, '1').status).toBe(LOAN_STATUS.normal)
  })

  /**
   * @attack S14 A wick of one exchange liquidated, because the one fresh source was the price.
   * @holds An order is to be cleared when it is over its limit at both prices, and without two sources nothing is judged.
   */
  test('needs both prices over the limit', () => {
    ledger.prices = pricesBetween(ledger.now, units('430'), units('470'), 'apart')
    ledger.judge(id)
    expect(statusOf(id)).toBe(LOAN_STATUS.normal)
    expect(ledger.row(loans, id)?.warned).toBe(2)
    ledger.prices = lostPrices('one_source', units('100'))
    ledger.judge(id)
    expect(statusOf(id)).toBe(LOAN_STATUS.normal)
    ledger.prices = pricesBetween(ledger.now, units('430'), units('469'), 'apart')
    ledger.judge(id)
    expect(statusOf(id)).toBe(LOAN_STATUS.toBeCleared)
    // A recovery at the better price is one.
    ledger.prices = pricesBetween(ledger.now, units('460'), units('471'))
    ledger.judge(id)
    expect(statusOf(id)).toBe(LOAN_STATUS.normal)
  })

  test('is to be cleared when due, which only repaying cures', () => {
    ledger.advance(30 * DAY)
    ledger.prices = lostPrices('unknown')
    ledger.judge(id)
    expect(statusOf(id)).toBe(LOAN_STATUS.toBeCleared)
    ledger.setPrice('600')
    expect(ledger.addCollateral('user', id, '1').status).toBe(LOAN_STATUS.toBeCleared)
    expect(refused(() => ledger.removeCollateral('user', id, '1'))).toEqual({ conflict: { reason: 'loan_overdue' } })
    ledger.give('user', 'USDT', '100')
    expect(ledger.repay('user', id, '10').status).toBe(LOAN_STATUS.toBeCleared)
    expect(ledger.repay('user', id, 'all').status).toBe(LOAN_STATUS.completed)
  })

  test('ignores a stale price, and repaying works on one', () => {
    ledger.prices = pricesAt(ledger.now, units('1'))
    ledger.advance(61)
    ledger.judge(id)
    expect(statusOf(id)).toBe(LOAN_STATUS.normal)
    expect(ledger.repay('user', id, '10')).toMatchObject({ status: 2, ltv: null })
    ledger.setPrice('1')
    ledger.judge(id)
    ledger.prices = lostPrices('stale')
    expect(ledger.repay('user', id, '10').status).toBe(LOAN_STATUS.toBeCleared)
  })

  test('warns at 75 and 80%, and reminds three times', () => {
    const found = () => {
      const { warned, reminded } = ledger.row(loans, id)!
      return { warned, reminded, notices: new Set(ledger.notices().map(({ kind, key }) => `${kind} ${key}`)).size }
    }
    const judgeAt = (price: string) => {
      ledger.setPrice(price)
      ledger.judge(id)
    }
    judgeAt('520')
    expect(found()).toEqual({ warned: 1, reminded: 0, notices: 1 })
    judgeAt('600')
    expect(found().warned).toBe(1)
    judgeAt('487')
    expect(found()).toEqual({ warned: 2, reminded: 0, notices: 2 })
    for (const [hours, reminded] of [
      [72, 1],
      [24, 2],
      [1, 3],
    ] as const) {
      ledger.now = new Date(ledger.row(loans, id)!.repayment_time.getTime() - hours * 3_600_000)
      judgeAt('600')
      // Each reminder comes once, beside the two warnings.
      expect(found()).toMatchObject({ reminded, notices: 2 + reminded })
    }
  })

  /**
   * @attack R15 The owner of the pledges borrows his own pool and drives the rate of all others from 2 to 75% unnoticed.
   * @holds The part above the kink moves by a tenth of its range an hour, and a borrower is notified when the rate has doubled.
   */
  test('notifies of a doubled rate, and of each further doubling', () => {
    const row = () => ledger.row(loans, id)!
    const openedE18 = row().opened_rate_e18
    expect(row().notify_rate_e18).toBe(2n * openedE18)
    ledger.withdraw('pledger', '22000')
    ledger.judge(id)
    expect(row()).toMatchObject({ is_announced: true, notify_rate_e18: 4n * openedE18 })
    const [notice] = ledger.notices()
    expect(notice).toMatchObject({ kind: 'loan_rate_doubled', key: `${id}:rate:${4n * openedE18}` })
    ledger.judge(id)
    expect(ledger.notices()).toEqual([notice])
    // 3,510 of 3,510: the curve says 79.5 %, and the rate moves there in ten hours.
    ledger.withdraw('pledger', '4490')
    const rateAfter = (hours: number) => {
      ledger.advance(hours * 3_600)
      return Number(ledger.addCollateral('user', id, '0.000000000000000001').rate)
    }
    expect(rateAfter(0)).toBeCloseTo(0.045, 3)
    expect(rateAfter(1)).toBeCloseTo(0.12, 2)
    expect(rateAfter(9)).toBeCloseTo(0.795, 2)
    expect(rateAfter(9)).toBeCloseTo(0.795, 9)
  })

  /**
   * @attack R08 A parameter change with a minute's notice made every order between the old and the new limit the operator's.
   * @holds Limits, bonus and least amounts of an open order are those of its opening.
   */
  test('is judged by the terms of the opening', () => {
    ledger.now = new Date(ledger.now.getTime() + 1_000)
    ledger.setPrice('500')
    // A later set with other limits exists, and new loans are under it.
    const strict = { ...ledger.rules, version: 2, limits: { ...ledger.rules.limits, liquidationBps: 7_000n } }
    Object.assign(ledger, { rules: strict })
    ledger.judge(id)
    expect(statusOf(id)).toBe(LOAN_STATUS.normal)
  })
})

describe('a warning', () => {
  test('is sent again only after the order was safe', () => {
    const { order_id: id } = ledger.borrow('user', '9', '3510')
    const round = (price: string) => {
      ledger.setPrice(price)
      ledger.judge(id)
      const { warned, warning_round } = ledger.row(loans, id)!
      return [warned, warning_round]
    }
    expect(round('520')).toEqual([1, 0])
    expect(round('590')).toEqual([1, 0])
    expect(round('520')).toEqual([1, 0])
    // 3,510 are 65 % of 9 BNB at 600.
    expect(round('601')).toEqual([0, 1])
    expect(round('520')).toEqual([1, 1])
  })

  test('names the limits of the order’s opening, and the ratio now', () => {
    const { order_id: id } = ledger.borrow('user', '9', '3510')
    const row = ledger.row(loans, id)!
    const limits = { ...ledger.rules.limits, warningBps: 7_000n, lastWarningBps: 7_850n }
    const terms = { limits, remindSeconds: [48n * 3_600n] }
    const paramsAt = (warned: number, reminded: number) =>
      noticesOf({ ...row, warned, reminded }, { terms, ltvE18: 71n * 10n ** 16n }).map(({ params }) => params)
    expect(paramsAt(1, 0)).toMatchObject([{ order_id: id, percent: 70, ltv: '0.71' }])
    expect(paramsAt(2, 0)).toMatchObject([{ percent: 78.5 }])
    expect(paramsAt(0, 1)).toMatchObject([{ hours: 48 }])
  })
})

describe('a finding of an order', () => {
  let id: string
  beforeEach(() => {
    id = ledger.borrow('user', '9', '3510').order_id
  })
  const warning = (percent: number, ltv: { ltv?: string }) => ({
    ...{ userId: 'user', link: '/stake/lend/orders?status=2', kind: 'loan_warning' },
    key: `${id}:${percent}00:0:${ledger.row(loans, id)?.debt_shares}`,
    params: { order_id: id, asset: 'USDT', borrowed: '3510', ...ltv, percent },
  })
  const writtenLast = () => ledger.executed.at(-1)?.plan.rows?.map(({ row }) => row.id)

  test('is announced once, with the ratio at the worse price', () => {
    const { order_id: repaid } = ledger.borrow('user', '1', '100')
    ledger.repay('user', repaid, 'all')
    ledger.prices = pricesBetween(ledger.now, units('470'), units('520'))
    // An order that has ended, and one that is unknown, are left alone. A pool that is new may not be in the list.
    const judge = () => ledger.execute(judgeLoans([], [repaid, 'unknown', id], () => ledger.prices))
    expect(judge()).toEqual({ judged: 1, notices: 1 })
    expect(writtenLast()).toEqual([id, expect.stringMatching(/^notices-/)])
    // 3,510 ÷ (9 × 470), rounded up.
    expect(ledger.notices()).toEqual([warning(80, { ltv: '0.829787234042553192' })])
    expect(judge()).toEqual({ judged: 1, notices: 0 })
    expect(writtenLast()).toEqual([id])
  })

  test('is announced without a ratio while a price is missing', () => {
    ledger.put(loans, { ...ledger.row(loans, id)!, warned: 1, is_announced: false })
    ledger.prices = lostPrices('stale', units('600'))
    expect(ledger.judge(id)).toEqual({ judged: 1, notices: 1 })
    expect(ledger.notices()).toEqual([warning(75, {})])
  })
})
