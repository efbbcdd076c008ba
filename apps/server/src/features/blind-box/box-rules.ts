import type { ResponseOf } from '@clearwell/api/routes'
import type { Database } from '@clearwell/ledger/database'
import { formatAmount } from '@clearwell/money/amount'
import { formatUnits } from '@clearwell/money/decimal'
import { BLOCK_DELAY_MS, DRAW_TABLE, drawRuleOf, REVEAL_WITHIN_MS } from '@clearwell/rules/box-draw'
import { levelTenths, MAX_LEVEL, MAX_STREAK_HUNDREDTHS, streakHundredths } from '@clearwell/rules/box-power'
import { POOL_PARTS } from '@clearwell/rules/box-reward'
import { CLAIMABLE_MS } from '@clearwell/rules/box-status'
import { type OpeningWindow, openingAt } from '@clearwell/rules/opening-hours'
import { readSourceCursor, readSources, type SourceRow } from '../../platform/boxes/box-sources.store.ts'
import { readToday } from '../../platform/boxes/box-today.ts'
import { closingDays, dividedDays } from './blind-box.store.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const PERCENT_DECIMALS = 2

export interface BoxRules {
  readonly allowsDraws: boolean
  /** Daily opening times of clicks and of claims. */
  readonly clicks: OpeningWindow
  readonly claims: OpeningWindow
}

/** The odds, the formula and the state of today, as everyone reads them. */
export async function describeRules(db: Database, rules: BoxRules, now: Date): Promise<ResponseOf<'boxRules'>> {
  const today = await readToday(db, now)
  const { day, item } = today
  const [sources, cursor, closing, [last]] = await Promise.all([
    readSources(db, day),
    readSourceCursor(db),
    closingDays(db, day),
    dividedDays(db, undefined, 1),
  ])
  const committedAt = item.committed_at === null ? undefined : new Date(item.committed_at)
  const { allowsDraws } = rules
  return {
    ...item,
    allows_draws: allowsDraws,
    rule: item.commitment === null ? 'flat' : drawRuleOf(day, { allowsDraws, committedAt }),
    odds: DRAW_TABLE.map(({ factor, tickets }) => ({ factor, chance: formatUnits(BigInt(tickets), PERCENT_DECIMALS) })),
    formula: FORMULA,
    clicks: { opening: rules.clicks, opens_at: opensAt(rules.clicks, now) },
    claims: { opening: rules.claims, opens_at: opensAt(rules.claims, now) },
    sources: sources.map(sourceItem),
    sources_seq: Number(cursor.seq),
    closing,
    last_divided: last?.day ?? null,
  }
}

const FORMULA: ResponseOf<'boxRules'>['formula'] = {
  level_base: formatUnits(levelTenths(0), 1),
  level_step: formatUnits(levelTenths(1) - levelTenths(0), 1),
  level_max: MAX_LEVEL,
  streak_base: formatUnits(streakHundredths(0), 2),
  streak_step: formatUnits(streakHundredths(1) - streakHundredths(0), 2),
  streak_max: formatUnits(MAX_STREAK_HUNDREDTHS, 2),
  pool_parts: Number(POOL_PARTS),
  claimable_days: CLAIMABLE_MS / DAY_MS,
  reveal_hours: REVEAL_WITHIN_MS / HOUR_MS,
  block_delay_seconds: BLOCK_DELAY_MS / 1_000,
}

export function sourceItem({ asset, kind, units, entries }: SourceRow) {
  return { asset, kind, amount: formatAmount({ asset, units }), entries }
}

/** When a window opens next; null while it is open. */
export function opensAt(window: OpeningWindow, now: Date): string | null {
  const state = openingAt(now, window)
  return state.open ? null : state.opensAt.toISOString()
}
