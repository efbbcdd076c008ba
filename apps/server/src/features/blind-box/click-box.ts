import { type Command, write } from '@clearwell/ledger/command'
import { type MembershipLevel, streakOn } from '@clearwell/rules/box-power'
import { addDays, boundsOfDay, type HongKongDay, hongKongDayOf } from '@clearwell/rules/hong-kong-day'
import { members } from '../../platform/ledger/members.ts'
import { refusal } from '../../platform/ledger/refuse.ts'
import { boxClosures, boxes, boxStreaks } from './blind-box.tables.ts'

export interface ClickedBox {
  readonly box_id: string
  readonly day: HongKongDay
  readonly level: MembershipLevel
  readonly streak: number
}

/**
 * Makes the user's sealed box of the day. The day is that of the command's acceptance, so of a user's clicks in two tabs, on
 * two servers or at midnight one makes the box.
 *
 * @throws Refusal `not_activated`; `not_open` after the day's click, until the next day.
 */
export function clickBox(input: {
  readonly userId: string
  readonly level: MembershipLevel
  readonly key: string | undefined
}): Command<ClickedBox> {
  const { userId, level, key } = input
  return {
    kind: 'click_box',
    owner: userId,
    key,
    payload: {},
    preload: [
      { table: members, id: userId },
      { table: boxStreaks, id: userId },
    ],
    decide(state, context) {
      if (!state.row(members, userId)?.activated_at) throw refusal('not_activated')
      const day = hongKongDayOf(context.now)
      const last = state.row(boxStreaks, userId)
      const isClosed = state.row(boxClosures, day) !== undefined
      // The texts of days have the order of the days. A clock that went back finds a later click.
      if (isClosed || (last && last.day >= day)) {
        const closed = last && last.day > day ? (last.day as HongKongDay) : day
        throw refusal('not_open', { opens_at: boundsOfDay(addDays(closed, 1)).opensAt.toISOString() })
      }
      const streak = streakOn(day, last && { day: last.day as HongKongDay, streak: last.streak })
      const id = context.id('box')
      return {
        rows: [
          write(boxes, { id, user_id: userId, day, level, streak, created_at: context.now }),
          write(boxStreaks, { id: userId, day, streak, box_id: id }),
        ],
        response: { box_id: id, day, level, streak },
      }
    },
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
