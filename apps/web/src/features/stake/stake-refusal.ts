import type { ReasonOf } from '@clearwell/api/codes'
import type { LoanRange } from '@clearwell/api/refusal-reasons'
import { errorText } from '@clearwell/ui/i18n/error-text.ts'
import { formatPercent } from '@clearwell/ui/i18n/format.ts'
import { sentences } from '@clearwell/ui/i18n/sentences.ts'
import { ApiError } from '../../api/api-error.ts'
import { type ByReason, type KnownData, refusalData } from '../../api/refusal-data.ts'
import { m } from '../../generated/messages.ts'
import { amountWords, isSome, priceStateText, priceStateTitle } from './stake-words.ts'

/** Why the server rejected a command, and what to do next, with the figures that it names. */
export function refusedText(error: Error, asset: string): string {
  switch (error instanceof ApiError ? error.codeName : undefined) {
    case 'amount_out_of_range':
      return amountText(refusalData(error, 'amount_out_of_range'), asset) ?? general(error, asset)
    case 'price_out_of_date':
      return priceText(refusalData(error, 'price_out_of_date')?.reason) ?? general(error, asset)
    case 'too_many_open':
      return m.stake_too_many({ max: String(refusalData(error, 'too_many_open')?.max ?? '') })
    case 'account_is_leaving':
      return sentences(errorText(error), m.stake_leaving_text())
    case 'not_available': {
      const isFrozen = refusalData(error, 'not_available')?.reason === 'frozen'
      return isFrozen ? errorText(error) : sentences(errorText(error), m.stake_not_available_text())
    }
    default:
      return general(error, asset)
  }
}

/** The same for a pledge or a withdrawal, which wait only for prices that were never known. */
export function refusedPledgeText(error: Error, asset: string): string {
  if (refusalData(error, 'price_out_of_date')) return m.stake_pledge_waits()
  if (refusalData(error, 'trading_suspended')?.reason === 'pool_lost') return m.stake_pool_lost()
  return refusedText(error, asset)
}

/** The most that is possible now, where the refusal names it. */
export function mostOf(error: Error | null): string | undefined {
  return refusalData(error, 'amount_out_of_range')?.max ?? refusalData(error, 'exceeds_lending_pool')?.max
}

type Range = KnownData<'amount_out_of_range'>

const RANGE_TEXTS: ByReason<LoanRange, ReasonOf<'amount_out_of_range'>, (range: Range, asset: string) => string> = {
  least_rest({ min, max }, asset) {
    if (min !== undefined) return m.stake_least_rest({ min: amountWords(min, asset) })
    return isSome(max ?? '0')
      ? m.stake_least_rest_max({ max: amountWords(max ?? '0', asset) })
      : m.stake_repay_all_only()
  },
  order_cap: ({ max = '0' }, asset) => m.stake_order_cap({ max: amountWords(max, asset) }),
  account_cap: ({ max = '0' }, asset) =>
    isSome(max) ? m.stake_account_cap({ max: amountWords(max, asset) }) : m.stake_account_cap_full(),
}

/** An amount that a rule of the pool or of the order does not allow; `undefined` for a plain minimum or maximum. */
function amountText(range: Range | undefined, asset: string): string | undefined {
  return range?.reason && RANGE_TEXTS[range.reason]?.(range, asset)
}

function priceText(state: ReasonOf<'price_out_of_date'> | undefined): string | undefined {
  return state && sentences(priceStateTitle(state), priceStateText(state))
}

/** The server's message with the figures that it names. */
function general(error: Error, asset: string): string {
  const min = refusalData(error, 'amount_out_of_range')?.min
  const max = mostOf(error)
  const rate = refusalData(error, 'price_moved')?.rate
  return sentences(
    errorText(error),
    ...(min === undefined ? [] : [m.stake_under_min({ min: amountWords(min, asset) })]),
    ...(max === undefined ? [] : [m.stake_over_max({ max: amountWords(max, asset) })]),
    ...(rate === undefined ? [] : [m.stake_rate_moved({ apr: formatPercent(rate) })]),
  )
}
