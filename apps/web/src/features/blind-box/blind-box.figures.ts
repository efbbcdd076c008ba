import type { ResponseOf } from '@clearwell/api/routes'
import { TICKETS } from '@clearwell/rules/box-rules'
import { highestGainOfSpreading } from '@clearwell/rules/box-spread'
import { formatAmount, formatList, formatPercent, significantDecimals } from '@clearwell/ui/i18n/format.ts'
import { formatDay } from '@clearwell/ui/i18n/format-date.ts'
import { liveFiguresOf } from '../../content/live-figures.ts'
import { m } from '../../generated/messages.ts'

/** The rules of the blind box and its pool, as the server has them now. */
type BoxRules = ResponseOf<'boxRules'>

/** Rules of the blind box, and today's pool. */
export default liveFiguresOf('boxRules', {
  box_chance_1: (rules) => chance(1, rules),
  box_chance_2: (rules) => chance(2, rules),
  box_chance_3: (rules) => chance(3, rules),
  box_chance_5: (rules) => chance(5, rules),
  box_chance_10: (rules) => chance(10, rules),
  box_level_step: ({ formula }) => formula.level_step,
  box_streak_step: ({ formula }) => formula.streak_step,
  box_streak_max: ({ formula }) => formula.streak_max,
  box_pool_parts: ({ formula }) => String(formula.pool_parts),
  box_spread_gain: spreadGain,
  box_claim_days: ({ formula }) => m.content_days({ days: String(formula.claimable_days) }),
  box_reveal_hours: ({ formula }) => m.content_hours_long({ hours: formula.reveal_hours }),
  box_fee_days: ({ formula }) => m.content_days({ days: String(formula.fee_days) }),
  box_block_times: ({ formula }) => formatList(formula.block_minutes.map(spanText)),
  box_root_margin: ({ formula }) => spanText(formula.root_margin_minutes),
  box_click_hours: ({ clicks }) => hours(clicks.opening),
  box_pool_USDT: (rules) => pool('USDT', rules),
  box_pool_BNB: (rules) => pool('BNB', rules),
  box_pool_ETH: (rules) => pool('ETH', rules),
  box_network_power: ({ network_power: power }) => formatAmount(power, { decimals: significantDecimals(power) - 2 }),
  box_last_day: ({ last_divided: day }) => (day === null ? m.content_live_none() : formatDay(day)),
})

/** Whole hours as hours. */
function spanText(minutes: number): string {
  return minutes % 60 === 0 ? m.content_hours_long({ hours: minutes / 60 }) : m.content_minutes({ minutes })
}

/** A day without a draw gives ×1 to every box. */
function chance(factor: number, { rule, odds }: BoxRules): string {
  if (rule === 'flat') return factor === 1 ? '100%' : '0%'
  return formatPercent(odds.find((each) => each.factor === factor)?.chance ?? '0')
}

/** The most that one person gains with many small boxes instead of one. */
function spreadGain({ rule, odds }: BoxRules): string {
  if (rule === 'flat') return '0%'
  const table = odds.map((each) => ({ factor: each.factor, tickets: Math.round(Number(each.chance) * TICKETS) }))
  return formatPercent(highestGainOfSpreading(table).gain.toFixed(3))
}

/** An empty pool says so. */
function pool(asset: string, { pool: pools }: BoxRules): string {
  const amount = pools.find((each) => each.asset === asset)?.pool ?? '0'
  return /[1-9]/.test(amount) ? `${formatAmount(amount)} ${asset}` : m.content_pool_empty()
}

/** Daily opening times, in Hong Kong time. */
function hours(window: BoxRules['claims']['opening']): string {
  return window === 'always' ? m.content_always() : m.content_hours(window)
}
