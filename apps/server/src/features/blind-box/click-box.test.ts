import { MemoryLedger, refusalOf } from '@clearwell/ledger/testing/memory-ledger'
import { amountOf } from '@clearwell/money/amount'
import { DEFAULT_BOX_RULES } from '@clearwell/rules/box-rules'
import type { HongKongDay } from '@clearwell/rules/hong-kong-day'
import { beforeEach, describe, expect, test } from 'vitest'
import { boxes, boxStreaks, boxTallies } from '../../domain/boxes/box.tables.ts'
import { feeDayId, feeDays, NO_UNITS } from '../../domain/boxes/fee-days.ts'
import { members } from '../../domain/members/members.ts'
import { memberships } from '../../domain/members/memberships.ts'
import { rankPoints } from '../../domain/ranks/rank-points.ts'
import { clickBox, closeClicks } from './click-box.ts'

/** 08:00 in Hong Kong. */
const START = new Date('2026-11-22T00:00:00Z')
const DAY_S = 86_400
const TODAY = '2026-11-22' as HongKongDay
const NEXT_MIDNIGHT = '2026-11-22T16:00:00.000Z'
const OPEN_LATE = { opens: '09:00', closes: '21:00' } as const
const units = (text: string) => amountOf(text, 'USDT').units

let ledger: MemoryLedger
beforeEach(() => {
  ledger = new MemoryLedger(START)
  join('user')
})

function join(id: string): void {
  ledger.put(members, { id, activated_at: START, activation_order_id: null })
}

/** Fees of a day: their revenue, half of which went to `rewards`. */
function pay(day: string, revenue: string, userId = 'user'): void {
  const id = feeDayId(userId, day as HongKongDay)
  ledger.put(feeDays, { id, day, revenue: units(revenue), ...NO_UNITS, usdt: units(revenue) / 2n })
}

function command(more: Partial<Parameters<typeof clickBox>[0]> = {}) {
  const settings = { opening: 'always', rules: DEFAULT_BOX_RULES, isOperators: false } as const
  return clickBox({ userId: 'user', receivedAt: ledger.now, key: 'key', ...settings, ...more })
}
const click = (more: Parameters<typeof command>[0] = {}) => ledger.execute(command(more))

describe('a click', () => {
  test('makes a sealed box from the fees of the days before', () => {
    pay('2026-10-22', '50')
    pay('2026-10-23', '0.08')
    pay('2026-11-21', '0.16')
    // Today's fees count from tomorrow on.
    pay(TODAY, '9')
    ledger.put(memberships, { id: 'user', level: 2, leads_0: 0, leads_1: 0, leads_2: 0, leads_3: 0, leads_4: 0 })
    const made = click()
    expect(made).toMatchObject({ day: TODAY, level: 2, streak: 0, fees: '240000000000000000' })
    expect(ledger.row(boxes, made.box_id)).toMatchObject({ user_id: 'user', fees: units('0.24'), created_at: START })
    // 0.24 × 1.04 of level 2.
    const power = units('0.2496')
    expect(ledger.row(boxTallies, TODAY)).toEqual({ id: TODAY, boxes: 1, power, ...NO_UNITS, usdt: units('0.12') })
    expect(ledger.rows(rankPoints)).toMatchObject([{ board: 'power', user_id: 'user', points: power }])
  })

  test('rounds its power down to the unit', () => {
    ledger.put(feeDays, { id: feeDayId('user', TODAY), day: TODAY, revenue: 99n, ...NO_UNITS })
    click()
    ledger.advance(DAY_S)
    click()
    // 99 × 1.01 of the second day in a row is 99.99.
    expect(ledger.rows(rankPoints).map(({ points }) => points)).toEqual([99n])
  })

  test('without fees makes a box without power or points', () => {
    expect(click()).toMatchObject({ fees: '0' })
    expect(ledger.row(boxTallies, TODAY)).toMatchObject({ boxes: 1, power: 0n })
    expect(ledger.rows(rankPoints)).toEqual([])
  })

  test('adds to the boxes that others made', () => {
    join('other')
    pay('2026-11-21', '0.08')
    pay('2026-11-21', '0.16', 'other')
    click()
    click({ userId: 'other' })
    expect(ledger.row(boxTallies, TODAY)).toMatchObject({ boxes: 2, power: units('0.24'), usdt: units('0.12') })
  })

  test('continues a streak, and starts again after a missed day', () => {
    const streaks = [0, 1, 1, 2, 1].map((days) => {
      ledger.advance(days * DAY_S)
      return click().streak
    })
    expect(streaks).toEqual([0, 1, 2, 0, 1])
  })
})

describe('a further click of the day', () => {
  const clicked = { refusal: 'not_open', data: { opens_at: NEXT_MIDNIGHT, reason: 'clicked' } }

  test('with another key is refused until midnight in Hong Kong', () => {
    click()
    ledger.now = new Date(Date.parse(NEXT_MIDNIGHT) - 1)
    expect(refusalOf(() => click({ key: 'other' }))).toEqual(clicked)
    ledger.now = new Date(NEXT_MIDNIGHT)
    expect(click({ key: 'other' })).toMatchObject({ day: '2026-11-23', streak: 1 })
  })

  test('names the next opening where clicks have opening hours', () => {
    ledger.advance(2 * 3_600)
    click({ opening: OPEN_LATE })
    expect(refusalOf(() => click({ opening: OPEN_LATE })).data).toMatchObject({ opens_at: '2026-11-23T01:00:00.000Z' })
  })

  test('without a key returns the box', () => {
    const made = click({ key: undefined })
    expect(click({ key: undefined })).toEqual(made)
    expect(ledger.rows(boxes)).toHaveLength(1)
  })

  test('is refused on a clock that went back over midnight', () => {
    const { day } = click()
    ledger.advance(-DAY_S)
    for (const key of ['key', undefined])
      expect(refusalOf(() => click({ key }))).toMatchObject({ data: { opens_at: NEXT_MIDNIGHT } })
    expect(ledger.row(boxStreaks, 'user')?.day).toBe(day)
  })
})

describe('a click is refused', () => {
  test('for an account of the operator, or one that is not activated', () => {
    expect(refusalOf(() => click({ isOperators: true }))).toEqual({
      refusal: 'not_available',
      data: { reason: 'operator_account' },
    })
    expect(refusalOf(() => click({ userId: 'stranger' }))).toEqual({ refusal: 'not_activated', data: {} })
    expect(ledger.rows(boxes)).toEqual([])
  })

  test('before the opening, to the second', () => {
    ledger.now = new Date('2026-11-22T00:59:59Z')
    expect(refusalOf(() => click({ opening: OPEN_LATE }))).toEqual({
      refusal: 'not_open',
      data: { opens_at: '2026-11-22T01:00:00.000Z' },
    })
    ledger.advance(1)
    expect(click({ opening: OPEN_LATE })).toMatchObject({ day: TODAY })
  })

  test('on a closed day until midnight, also without an earlier click', () => {
    join('newcomer')
    click()
    const end = '2026-11-23T16:00:00.000Z'
    ledger.now = new Date(end)
    ledger.execute(closeClicks('2026-11-23' as HongKongDay))
    ledger.advance(-1)
    const closed = { refusal: 'not_open', data: { opens_at: end, reason: 'clicked' } }
    for (const userId of ['user', 'newcomer']) {
      for (const key of ['other', undefined]) expect(refusalOf(() => click({ userId, key }))).toEqual(closed)
    }
  })

  test('on a day that was closed, on a clock that went back', () => {
    ledger.now = new Date(NEXT_MIDNIGHT)
    expect(ledger.execute(closeClicks(TODAY))).toEqual({ closed: true })
    ledger.advance(-1)
    expect(refusalOf(() => click())).toMatchObject({ refusal: 'not_open', data: { reason: 'clicked' } })
  })
})

describe('closing a day', () => {
  test('fails before the day has ended, by one second', () => {
    ledger.now = new Date(Date.parse(NEXT_MIDNIGHT) - 1_000)
    expect(() => ledger.execute(closeClicks(TODAY))).toThrow('2026-11-22 has not ended')
  })

  test('happens once', () => {
    ledger.now = new Date(NEXT_MIDNIGHT)
    expect(ledger.execute(closeClicks(TODAY))).toEqual({ closed: true })
    expect(ledger.execute(closeClicks(TODAY))).toEqual({ closed: false })
  })
})
