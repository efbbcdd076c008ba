import { formatAmount, significantDecimals } from '@clearwell/ui/i18n/format.ts'
import { formatDateTime } from '@clearwell/ui/i18n/format-date.ts'
import { m } from '../../generated/messages.ts'
import type { RichOverview, UpgradeRequest } from './rich.queries.ts'
import { isSome } from './star-terms.ts'

/** Sentences and figures of the hub that several of its screens and sheets show. */

/** An amount of RT in a sentence: grouped, cut, with its asset. */
export function rtWords(amount: string): string {
  return `${formatAmount(amount, { decimals: significantDecimals(amount) })} RT`
}

/** A star in words. */
export function starWords(star: number): string {
  return star === 0 ? m.rich_star_zero() : m.rich_star({ n: String(star) })
}

/** The part of the next star’s deposit that is missing. */
export function progressWords({ next, missing }: Pick<RichOverview, 'next' | 'missing'>): string {
  if (next === null) return m.rich_progress_top()
  const n = String(next)
  return isSome(missing) ? m.rich_progress_missing({ amount: rtWords(missing), n }) : m.rich_progress_ready({ n })
}

/** Until when the parent can approve an open request. */
export function waitingWords({ passes_at: until }: Pick<UpgradeRequest, 'passes_at'>): string {
  return until === null ? m.rich_waits() : m.rich_waits_until({ time: formatDateTime(until) })
}

/** The return of the deposit after the notice. */
export function returnWords({ amount, returns_at: time }: NonNullable<RichOverview['step_down']>): string {
  return m.rich_stepping_down_text({ amount: rtWords(amount), time: formatDateTime(time) })
}
