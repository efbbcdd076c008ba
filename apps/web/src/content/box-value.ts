import type { ResponseOf } from '@clearwell/api/routes'
import { TICKETS } from '@clearwell/rules/box-rules'
import { highestGainOfSpreading } from '@clearwell/rules/box-spread'
import { formatAmount, formatList, formatPercent, significantDecimals } from '@clearwell/ui/i18n/format.ts'
import { formatDay } from '@clearwell/ui/i18n/format-date.ts'
import { m } from '../generated/messages.ts'
import type { BoxName } from './live-names.ts'

/** The rules of the blind box and its pool, as the server has them now. */
export type LiveBoxRules = ResponseOf<'boxRules'>

/** Formats a rule or a figure of the blind box in the current language. */
export function boxValue(name: BoxName, rules: LiveBoxRules): string {
  const { formula } = rules
  switch (name) {
    case 'box_chance_1':
    case 'box_chance_2':
    case 'box_chance_3':
    case 'box_chance_5':
    case 'box_chance_10':
      return chance(Number(name.replace('box_chance_', '')), rules)
    case 'box_level_step':
      return formula.level_step
    case 'box_streak_step':
      return formula.streak_step
    case 'box_streak_max':
      return formula.streak_max
    case 'box_pool_parts':
      return String(formula.pool_parts)
    case 'box_spread_gain':
      return spreadGain(rules)
    case 'box_claim_days':
      return m.content_days({ days: String(formula.claimable_days) })
    case 'box_reveal_hours':
      return m.content_hours_long({ hours: formula.reveal_hours })
    case 'box_fee_days':
      return m.content_days({ days: String(formula.fee_days) })
    case 'box_block_times':
      return formatList(formula.block_minutes.map(spanText))
    case 'box_root_margin':
      return spanText(formula.root_margin_minutes)
    case 'box_click_hours':
      return hours(rules.clicks.opening)
    case 'box_pool_USDT':
    case 'box_pool_BNB':
    case 'box_pool_ETH':
      return pool(name.replace('box_pool_', ''), rules)
    case 'box_network_power':
      return formatAmount(rules.network_power, { decimals: significantDecimals(rules.network_power) - 2 })
    case 'box_last_day':
      return rules.last_divided === null ? m.content_live_none() : formatDay(rules.last_divided)
    default:
      return unknownName(name)
  }
}

/** Whole hours as hours. */
function spanText(minutes: number): string {
  return minutes % 60 === 0 ? m.content_hours_long({ hours: minutes / 60 }) : m.content_minutes({ minutes })
}

/** A day without a draw gives ×1 to every box. */
function chance(factor: number, { rule, odds }: LiveBoxRules): string {
  if (rule === 'flat') return factor === 1 ? '100%' : '0%'
  return formatPercent(odds.find((each) => each.factor === factor)?.chance ?? '0')
}

/** The most that one person gains with many small boxes instead of one. */
function spreadGain({ rule, odds }: LiveBoxRules): string {
  if (rule === 'flat') return '0%'
  const table = odds.map((each) => ({ factor: each.factor, tickets: Math.round(Number(each.chance) * TICKETS) }))
  return formatPercent(highestGainOfSpreading(table).gain.toFixed(3))
}

/** An empty pool says so. */
function pool(asset: string, { pool: pools }: LiveBoxRules): string {
  const amount = pools.find((each) => each.asset === asset)?.pool ?? '0'
  return /[1-9]/.test(amount) ? `${formatAmount(amount)} ${asset}` : m.content_pool_empty()
}

/** Daily opening times, in Hong Kong time. */
function hours(window: LiveBoxRules['claims']['opening']): string {
  return window === 'always' ? m.content_always() : m.content_hours(window)
}

function unknownName(name: never): never {
  throw new Error(`boxValue: there is no figure ${String(name)}`)
}
