import { type Command, write } from '@clearwell/ledger/command'
import type { RowOf } from '@clearwell/ledger/table'
import { feeDaysOf, type MembershipLevel, powerOf, streakOn } from '@clearwell/rules/box-power'
import type { BoxRules } from '@clearwell/rules/box-rules'
import { boundsOfDay, type HongKongDay, hongKongDayOf } from '@clearwell/rules/hong-kong-day'
import { type OpeningWindow, openingAt } from '@clearwell/rules/opening-hours'
import { boxClosures, boxes, boxStreaks, boxTallies } from '../../domain/boxes/box.tables.ts'
import { nextClickAt } from '../../domain/boxes/box-today.ts'
import { addUnits, feeDayId, feeDays, NO_UNITS, sumFees } from '../../domain/boxes/fee-days.ts'
import { members, requireActivated } from '../../domain/members/members.ts'
import { levelOf, memberships } from '../../domain/members/memberships.ts'
import { rankPoints } from '../../domain/ranks/rank-points.ts'
import { refusal } from '../../platform/ledger/refuse.ts'

export interface ClickedBox {
  readonly box_id: string
  readonly day: HongKongDay
  readonly level: MembershipLevel
  readonly streak: number
  /** In base units of USDT. */
  readonly fees: string
  readonly created_at: string
}

/**
 * Makes the user's sealed box for the day. The day is that of the command's acceptance, so of a user's clicks in two tabs, on
 * two servers or at midnight one makes the box. Without a key the day is the key: a repeated click returns the box.
 *
 * @throws Refusal `not_activated`; `not_open` after the day's click, until the next day; `not_available` for an account of the
 * operator.
 */
export function clickBox(input: {
  readonly userId: string
  /** Daily opening times of clicks. */
  readonly opening: OpeningWindow
  readonly rules: BoxRules
  /** True for a published account of the operator. */
  readonly isOperators: boolean
  /** When the click was received: the day whose fees are loaded ahead. */
  readonly receivedAt: Date
  readonly key: string | undefined
}): Command<ClickedBox> {
  const { userId, opening, rules, isOperators, receivedAt, key } = input
  const feeIds = (day: HongKongDay) => feeDaysOf(day, rules).map((each) => feeDayId(userId, each))
  return {
    kind: 'click_box',
    owner: userId,
    key,
    payload: {},
    preload: [
      { table: members, id: userId },
      { table: memberships, id: userId },
      { table: boxStreaks, id: userId },
      ...feeIds(hongKongDayOf(receivedAt)).map((id) => ({ table: feeDays, id })),
    ],
    decide(state, context) {
      if (isOperators) throw refusal('not_available', { reason: 'operator_account' })
      requireActivated(state, userId)
      const window = openingAt(context.now, opening)
      if (!window.open) throw refusal('not_open', { opens_at: window.opensAt.toISOString() })
      const day = hongKongDayOf(context.now)
      const last = state.row(boxStreaks, userId)
      const isClosed = state.row(boxClosures, day) !== undefined
      // The texts of days have the order of the days. A clock that went back finds a later click.
      if (isClosed || (last && last.day >= day)) {
        const made = key === undefined && last?.day === day ? state.row(boxes, last.box_id) : undefined
        if (made) return { response: clicked(made) }
        const closed = last && last.day > day ? last.day : day
        throw refusal('not_open', { opens_at: nextClickAt(closed, opening).toISOString(), reason: 'clicked' })
      }
      const streak = streakOn(day, last)
      const level = levelOf(state.row(memberships, userId))
      const paid = sumFees(state.rows(feeDays, feeIds(day)).filter((row) => row !== undefined))
      const fees = paid.revenue
      const box = { id: context.id('box'), user_id: userId, day, level, streak, fees, created_at: context.now }
      const tally = state.row(boxTallies, day) ?? { id: day, boxes: 0, power: 0n, ...NO_UNITS }
      const power = powerOf({ fees, level, streak, draw: 1 }, rules)
      const ranked = { id: `${box.id}:click`, board: 'power', user_id: userId, points: power, at: context.now }
      return {
        rows: [
          write(boxes, box),
          write(boxStreaks, { id: userId, day, streak, box_id: box.id }),
          write(boxTallies, {
            id: day,
            boxes: tally.boxes + 1,
            power: tally.power + power,
            ...addUnits(tally, paid),
          }),
          ...(power > 0n ? [write(rankPoints, ranked)] : []),
        ],
        response: clicked(box),
      }
    },
  }
}

function clicked({ id, day, level, streak, fees, created_at }: RowOf<typeof boxes>): ClickedBox {
  return {
    box_id: id,
    day,
    level,
    streak,
    fees: fees.toString(),
    created_at: created_at.toISOString(),
  }
}

/** Ends a day's clicks. All clicks and entries before it are stored when it returns. */
export function closeClicks(day: HongKongDay): Command<{ closed: boolean }> {
  return {
    kind: 'close_clicks',
    owner: 'blind-box',
    payload: { day },
    preload: [{ table: boxClosures, id: day }],
    decide(state, context) {
      if (context.now < boundsOfDay(day).closesAt) throw new RangeError(`${day} has not ended`)
      if (state.row(boxClosures, day)) return { response: { closed: false } }
      return { rows: [write(boxClosures, { id: day, closed_at: context.now })], response: { closed: true } }
    },
  }
}
