import type { blindBoxRoutes } from '@clearwell/api/blind-box.routes'
import type { Database } from '@clearwell/ledger/database'
import type { Writer } from '@clearwell/ledger/writer'
import { formatUnits } from '@clearwell/money/decimal'
import { powerOf } from '@clearwell/rules/box-power'
import { parseBoxRules } from '@clearwell/rules/box-rules'
import { hongKongDayOf } from '@clearwell/rules/hong-kong-day'
import { boxesOf, claimableOf, statusesOf } from '../../domain/boxes/box.store.ts'
import { boxItem, POWER_DECIMALS, sealedItem } from '../../domain/boxes/box-item.ts'
import { readBoxStatus, readToday } from '../../domain/boxes/box-today.ts'
import { DEFAULT_PAGE, decodeCursor, encodeCursor, pageOf } from '../../platform/http/paging.ts'
import { PreparedResponse } from '../../platform/http/prepared-response.ts'
import type { HandlersOf } from '../../platform/http/request-context.ts'
import { refusal } from '../../platform/ledger/refuse.ts'
import { byRule } from '../../platform/rules/ruled.ts'
import { cached } from '../../platform/time/cached.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { firstDayOf, latestClicks } from './blind-box.store.ts'
import { claimBoxes } from './box-money.ts'
import { type BoxFacts, describeRules, opensAt } from './box-rules.ts'
import { clickBox } from './click-box.ts'

/** The facts that everyone polls are read at most this often. */
const TODAY_MS = 1_000
const MONTH_DAYS = 31

export interface BlindBoxDependencies {
  readonly db: Database
  readonly writer: Pick<Writer, 'execute'>
  readonly clock: Clock
  readonly rules: BoxFacts
}

type BlindBoxHandlers = HandlersOf<typeof blindBoxRoutes, 'boxRules' | 'boxRoots'>
type StatusHandlers = Pick<BlindBoxHandlers, 'boxRules' | 'boxStatus' | 'boxCalendar'>

export function statusHandlers({ db, clock, rules }: BlindBoxDependencies): StatusHandlers {
  const described = cached({
    read: async () => new PreparedResponse(await describeRules(db, rules, clock.now())),
    maxAgeMs: TODAY_MS,
    clock,
  })
  const todays = cached({
    async read() {
      const now = clock.now()
      return readToday(db, await rules.numbers(hongKongDayOf(now)), now)
    },
    maxAgeMs: TODAY_MS,
    clock,
  })
  return {
    boxRules: () => described.get(undefined),
    async boxStatus(_payload, { user }) {
      const now = clock.now()
      const isOperators = rules.operators.has(user.id)
      const [opening, claims, numbers] = await Promise.all([
        rules.clicks.now(),
        rules.claims.now(),
        rules.numbers(hongKongDayOf(now)),
      ])
      const of = { userId: user.id, opening, rules: numbers, isOperators, now }
      const status = await readBoxStatus(db, of)
      // The user's own box is always counted.
      if (status.item.box && (await todays.get(undefined)).networkPower < status.myPower) todays.drop()
      const today = await todays.get(undefined)
      return { ...today.item, ...status.item, claims_open_at: opensAt(claims, now) }
    },
    async boxCalendar({ month }, { user }) {
      const today = hongKongDayOf(clock.now())
      const shown = month ?? today.slice(0, 7)
      const range = { fromDay: `${shown}-01`, toDay: `${shown}-32` }
      const [rows, first] = await Promise.all([
        boxesOf(db, user.id, undefined, MONTH_DAYS, range),
        firstDayOf(db, user.id),
      ])
      const days = rows.toReversed().map(({ day, id, status, streak }) => ({ day, box_id: id, status, streak }))
      return { month: shown, today, first_day: first, days }
    },
  }
}

type BoxHandlers = Pick<BlindBoxHandlers, 'clickBox' | 'boxHistory' | 'boxes' | 'claimBoxes'>

export function boxHandlers({ db, writer, clock, rules }: BlindBoxDependencies): BoxHandlers {
  return {
    async clickBox(_payload, { user, idempotencyKey: key }) {
      const receivedAt = clock.now()
      const numbers = await rules.numbers(hongKongDayOf(receivedAt))
      const isOperators = rules.operators.has(user.id)
      const box = await writer.execute(
        byRule(rules.clicks, (opening) =>
          clickBox({ userId: user.id, opening, rules: numbers, isOperators, receivedAt, key }),
        ),
      )
      return { box: sealedItem(box, await rules.numbers(box.day)) }
    },
    async boxHistory({ cursor, limit = DEFAULT_PAGE }) {
      const rows = await latestClicks(db, decodeCursor(cursor), limit + 1)
      const current = await rules.numbers(hongKongDayOf(clock.now()))
      const item = (row: (typeof rows)[number]) => ({
        address: shortAddress(row.user_id),
        day: row.day,
        level: row.level,
        streak: row.streak,
        power: formatUnits(
          powerOf({ ...row, draw: 1 }, row.rules === null ? current : parseBoxRules(row.rules)),
          POWER_DECIMALS,
        ),
        created_at: row.created_at.toISOString(),
      })
      return pageOf(rows, limit, item, (row) => encodeCursor({ at: row.created_at, id: row.id }))
    },
    async boxes({ status, cursor, limit = DEFAULT_PAGE }, { user }) {
      const rows = await boxesOf(db, user.id, decodeCursor(cursor), limit + 1, { status })
      const current = await rules.numbers(hongKongDayOf(clock.now()))
      return pageOf(
        rows,
        limit,
        (row) => boxItem(row, current),
        (row) => encodeCursor({ at: row.created_at, id: row.id }),
      )
    },
    async claimBoxes({ box_ids }, { user, idempotencyKey: key }) {
      // An empty list comes from forms that have no list.
      const asked = box_ids?.length ? [...new Set(box_ids)] : undefined
      const userId = user.id
      const assigned = await claimableOf(db, { userId, ids: asked, now: clock.now() })
      if (asked && (await statusesOf(db, userId, asked)).length < asked.length) throw refusal('not_found')
      return writer.execute(byRule(rules.claims, (opening) => claimBoxes({ userId, assigned, asked, opening, key })))
    },
  }
}

/** Shortens an address, so that a list names no one in full. */
function shortAddress(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`
}
