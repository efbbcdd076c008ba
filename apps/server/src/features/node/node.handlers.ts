import type { nodeRoutes } from '@clearwell/api/node.routes'
import type { Database } from '@clearwell/ledger/database'
import { addDays, boundsOfDay, type HongKongDay, hongKongDayOf } from '@clearwell/rules/hong-kong-day'
import type { OpeningWindow } from '@clearwell/rules/opening-hours'
import { boxesOf } from '../../domain/boxes/box.store.ts'
import { amountTexts, boxItem, fraction, sumByAsset } from '../../domain/boxes/box-item.ts'
import type { NumbersOfDay } from '../../domain/boxes/box-numbers.ts'
import { readBoxStatus, readToday } from '../../domain/boxes/box-today.ts'
import { DEFAULT_PAGE, decodeCursor, encodeCursor, pageOf } from '../../platform/http/paging.ts'
import type { HandlersOf } from '../../platform/http/request-context.ts'
import type { Ruled } from '../../platform/rules/ruled.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { incomeFile } from './income-file.ts'
import { incomeByDay, readTotals } from './node.store.ts'

const SERIES_DAYS = 30
/** The rules of days begin in 1980, and their texts have four digits for the year. */
const FIRST_TIME = new Date('1980-01-02T00:00:00Z')
const LAST_TIME = new Date('9999-12-30T00:00:00Z')

export interface NodeDependencies {
  readonly db: Database
  readonly clock: Clock
  /** Daily opening times of clicks. */
  readonly opening: Ruled<OpeningWindow>
  /** The numbers of the boxes of a day. */
  readonly numbers: NumbersOfDay
  /** Published accounts of the operator, in lower case. */
  readonly operators: ReadonlySet<string>
}

export function nodeHandlers({
  db,
  clock,
  opening,
  numbers,
  operators,
}: NodeDependencies): HandlersOf<typeof nodeRoutes> {
  return {
    async nodeOverview(_payload, { user }) {
      const now = clock.now()
      const window = await opening.now()
      const rules = await numbers(hongKongDayOf(now))
      const [status, today, totals, [last]] = await Promise.all([
        readBoxStatus(db, { userId: user.id, opening: window, rules, isOperators: operators.has(user.id), now }),
        readToday(db, rules, now),
        readTotals(db, user.id),
        boxesOf(db, user.id, undefined, 1, { isDivided: true }),
      ])
      const { box: _box, reason: _reason, click_power: _power, ...mine } = status.item
      const { commitment: _commitment, committed_at: _at, ...everyone } = today.item
      return {
        ...everyone,
        ...mine,
        activated: status.isActivated,
        share: fraction(status.myPower, today.networkPower),
        income: amountTexts(totals.income),
        last_income: last ? boxItem(last, rules).reward : [],
        last_day: last?.day ?? null,
        boxes: totals.boxes,
      }
    },
    async nodeIncome({ from, to, cursor, limit = DEFAULT_PAGE }, { user }) {
      const range = daysBetween(from, to)
      const today = hongKongDayOf(clock.now())
      const shown = from || to ? range : { ...range, fromDay: addDays(today, -SERIES_DAYS) }
      const [rows, income] = await Promise.all([
        boxesOf(db, user.id, decodeCursor(cursor), limit + 1, { ...range, isDivided: true }),
        incomeByDay(db, user.id, shown),
      ])
      const rules = await numbers(today)
      const days = Map.groupBy(income, ({ day }) => day)
      return {
        ...pageOf(
          rows,
          limit,
          (row) => boxItem(row, rules),
          (row) => encodeCursor({ at: row.created_at, id: row.id }),
        ),
        series: [...days].map(([day, amounts]) => ({ day, amounts: amountTexts(amounts) })),
        totals: amountTexts(sumByAsset(income)),
      }
    },
    async nodeIncomeCsv({ from, to }, { user }) {
      const today = hongKongDayOf(clock.now())
      const name = `clearwell-income-${today}.csv`
      const rules = await numbers(today)
      return {
        name,
        type: 'text/csv; charset=utf-8',
        pieces: incomeFile({ db, rules }, user.id, daysBetween(from, to)),
      }
    },
  }
}

/** The days that begin within a range of time: from the first, up to but without the last. */
function daysBetween(from: Date | undefined, to: Date | undefined): { fromDay: string; toDay: string } {
  return { fromDay: from ? firstDayFrom(from) : '', toDay: to ? firstDayFrom(to) : '9999' }
}

function firstDayFrom(time: Date): HongKongDay {
  const day = hongKongDayOf(time < FIRST_TIME ? FIRST_TIME : time > LAST_TIME ? LAST_TIME : time)
  return boundsOfDay(day).opensAt < time ? addDays(day, 1) : day
}
