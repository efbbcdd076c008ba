import type { BadgeTone } from '@clearwell/ui/components/badge.tsx'
import { formatAmount, formatList, significantDecimals } from '@clearwell/ui/i18n/format.ts'
import { m } from '../../generated/messages.ts'
import type { Amounts, Box } from './blind-box.queries.ts'

const STATUS_TEXTS: Record<Box['status'], () => string> = {
  2: m.box_status_to_be_divided,
  0: m.box_status_to_be_assigned,
  1: m.box_status_success,
  [-1]: m.box_status_failed,
}

const STATUS_TONES: Record<Box['status'], BadgeTone> = { 2: 'plain', 0: 'pending', 1: 'done', [-1]: 'plain' }

/** The status of a box in the words of the specification. */
export function statusText(status: Box['status']): string {
  return STATUS_TEXTS[status]()
}

export function statusTone(status: Box['status']): BadgeTone {
  return STATUS_TONES[status]
}

/** Beside the specification's word in a list: the word that other screens use for the same box. */
export function claimText(status: Box['status']): string[] {
  if (status === 0) return [m.box_ready()]
  return status === 1 ? [m.box_claimed()] : []
}

/** Amounts as a phrase, such as `5.16961 USDT and 0.00645664 BNB`. Empty without amounts. */
export function amountsText(amounts: Amounts): string {
  return formatList(amounts.map((each) => amountText(each)))
}

/** @param fewer how many digits less than six are shown. */
export function amountText({ asset, amount }: Amounts[number], fewer = 0): string {
  return `${formatAmount(amount, { decimals: significantDecimals(amount) - fewer })} ${asset}`
}

/** Computing power: fees in USDT times factors. Four digits say enough. */
export function powerText(power: string): string {
  return formatAmount(power, { decimals: significantDecimals(power) - 2 })
}

export function hasPower(power: string): boolean {
  return /[1-9]/.test(power)
}

/** Those above zero. */
export function someAmounts(amounts: Amounts): Amounts {
  return amounts.filter(({ amount }) => /[1-9]/.test(amount))
}

/** Why a box has no reward, or what happens to it next. */
export function outcomeText({ status, reason, power }: Box): string {
  if (status === 2) return m.box_outcome_sealed()
  if (reason === 'no_root' || reason === 'no_seed') return m.box_outcome_void()
  if (status === -1 && reason !== 'expired' && !hasPower(power)) return m.box_outcome_no_power()
  if (status === -1) return reason === 'expired' ? m.box_outcome_expired() : m.box_outcome_nothing()
  return status === 1 ? m.box_outcome_claimed() : m.box_outcome_claimable()
}
