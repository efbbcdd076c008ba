import type { ResponseOf } from '@clearwell/api/routes'
import type { Database } from '@clearwell/ledger/database'
import { formatAmount } from '@clearwell/money/amount'
import { formatUnits } from '@clearwell/money/decimal'
import { drawRuleOf } from '@clearwell/rules/box-draw'
import { MAX_LEVEL } from '@clearwell/rules/box-power'
import type { BoxRules } from '@clearwell/rules/box-rules'
import { hongKongDayOf } from '@clearwell/rules/hong-kong-day'
import { type OpeningWindow, openingAt } from '@clearwell/rules/opening-hours'
import type { NumbersOfDay } from '../../domain/boxes/box-numbers.ts'
import { readSourceCursor, readSources, type SourceRow } from '../../domain/boxes/box-sources.store.ts'
import { readToday } from '../../domain/boxes/box-today.ts'
import type { Ruled } from '../../platform/rules/ruled.ts'
import { closingDays, dividedDays } from './blind-box.store.ts'

const PERCENT_DECIMALS = 2
const BPS_DECIMALS = 4
const ONE_BPS = 10_000

/** Everything that the configuration and the announced rules say about boxes. */
export interface BoxFacts {
  /** The numbers of power, draw and reward of a day. */
  readonly numbers: NumbersOfDay
  /** Published accounts of the operator, in lower case: they click no box. */
  readonly operators: ReadonlySet<string>
  readonly allowsDraws: boolean
  /** Daily opening times of clicks and of claims. */
  readonly clicks: Ruled<OpeningWindow>
  readonly claims: Ruled<OpeningWindow>
}

/** The odds, the formula and the state of today, as everyone reads them. */
export async function describeRules(db: Database, rules: BoxFacts, now: Date): Promise<ResponseOf<'boxRules'>> {
  const numbers = await rules.numbers(hongKongDayOf(now))
  const today = await readToday(db, numbers, now)
  const { day, item } = today
  const [sources, cursor, closing, [last], clicks, claims] = await Promise.all([
    readSources(db, day),
    readSourceCursor(db),
    closingDays(db, day),
    dividedDays(db, undefined, 1),
    rules.clicks.now(),
    rules.claims.now(),
  ])
  const committedAt = item.committed_at === null ? undefined : new Date(item.committed_at)
  const { allowsDraws } = rules
  return {
    ...item,
    allows_draws: allowsDraws,
    rule: item.commitment === null ? 'flat' : drawRuleOf(day, { allowsDraws, committedAt, boxes: 1 }),
    odds: numbers.odds.map(({ factor, tickets }) => ({
      factor,
      chance: formatUnits(BigInt(tickets), PERCENT_DECIMALS),
    })),
    formula: formulaOf(numbers),
    clicks: { opening: clicks, opens_at: opensAt(clicks, now) },
    claims: { opening: claims, opens_at: opensAt(claims, now) },
    sources: sources.map(sourceItem),
    sources_seq: Number(cursor.seq),
    closing,
    last_divided: last?.day ?? null,
  }
}

function formulaOf(numbers: BoxRules): ResponseOf<'boxRules'>['formula'] {
  const fraction = (bps: number) => formatUnits(BigInt(bps), BPS_DECIMALS)
  return {
    level_base: '1',
    level_step: fraction(numbers.levelStepBps),
    level_max: MAX_LEVEL,
    streak_base: '1',
    streak_step: fraction(numbers.streakStepBps),
    streak_max: fraction(ONE_BPS + numbers.streakMaxBps),
    fee_days: numbers.feeDays,
    pool_parts: numbers.poolParts,
    claimable_days: numbers.claimableDays,
    block_minutes: [...numbers.blockMinutes],
    root_margin_minutes: numbers.rootMarginMinutes,
    reveal_hours: numbers.revealHours,
  }
}

export function sourceItem({ asset, kind, units, entries }: SourceRow) {
  return { asset, kind, amount: formatAmount({ asset, units }), entries }
}

/** When a window opens next; null while it is open. */
export function opensAt(window: OpeningWindow, now: Date): string | null {
  const state = openingAt(now, window)
  return state.open ? null : state.opensAt.toISOString()
}
