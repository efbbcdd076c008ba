import type { PriceState } from '@clearwell/api/market.routes'
import { errorText } from '@clearwell/ui/i18n/error-text.ts'
import { formatPercent } from '@clearwell/ui/i18n/format.ts'
import { sentences } from '@clearwell/ui/i18n/sentences.ts'
import { ApiError } from '../../api/api-error.ts'
import { m } from '../../generated/messages.ts'
import { amountWords, isSome, priceStateText, priceStateTitle } from './stake-words.ts'

/** The data of a refusal. Any of it may be missing. */
interface RefusalData {
  readonly min?: unknown
  readonly max?: unknown
  readonly rate?: unknown
  readonly reason?: unknown
}

/** Why the server rejected a command, and what to do next, with the figures that it names. */
export function refusedText(error: Error, asset: string): string {
  const data = dataOf(error)
  switch (error instanceof ApiError ? error.codeName : undefined) {
    case 'amount_out_of_range':
      return amountText(data, asset) ?? general(error, asset)
    case 'price_out_of_date':
      return priceText(data.reason) ?? general(error, asset)
    case 'too_many_open':
      return m.stake_too_many({ max: String(data.max ?? '') })
    case 'account_is_leaving':
      return sentences(errorText(error), m.stake_leaving_text())
    case 'not_available':
      return sentences(
        errorText(error),
        data.reason === 'frozen' ? m.stake_frozen_text() : m.stake_not_available_text(),
      )
    case 'conflict':
      return m.stake_loan_changed()
    default:
      return general(error, asset)
  }
}

/** The same for a pledge or a withdrawal, which wait only for prices that were never known. */
export function refusedPledgeText(error: Error, asset: string): string {
  const { reason } = dataOf(error)
  if (!(error instanceof ApiError)) return refusedText(error, asset)
  if (error.codeName === 'price_out_of_date') return m.stake_pledge_waits()
  if (reason === 'pool_lost') return m.stake_pool_lost()
  return refusedText(error, asset)
}

/** The most that is possible now, where the refusal names it. */
export function mostOf(error: Error | null): string | undefined {
  const { max } = dataOf(error)
  return typeof max === 'string' ? max : undefined
}

/** An amount that a rule of the pool or of the order does not allow; `undefined` for a plain minimum or maximum. */
function amountText({ reason, min, max }: RefusalData, asset: string): string | undefined {
  const most = typeof max === 'string' ? max : '0'
  switch (reason) {
    case 'least_rest':
      return typeof min === 'string'
        ? m.stake_least_rest({ min: amountWords(min, asset) })
        : isSome(most)
          ? m.stake_least_rest_max({ max: amountWords(most, asset) })
          : m.stake_repay_all_only()
    case 'order_cap':
      return m.stake_order_cap({ max: amountWords(most, asset) })
    case 'account_cap':
      return isSome(most) ? m.stake_account_cap({ max: amountWords(most, asset) }) : m.stake_account_cap_full()
    default:
      return undefined
  }
}

function priceText(reason: unknown): string | undefined {
  const state = (['apart', 'one_source', 'stale', 'unknown'] satisfies PriceState[]).find((each) => each === reason)
  return state && sentences(priceStateTitle(state), priceStateText(state))
}

/** The server's message with the figures that it names. */
function general(error: Error, asset: string): string {
  const { min, max, rate } = dataOf(error)
  return sentences(
    errorText(error),
    ...(typeof min === 'string' ? [m.stake_under_min({ min: amountWords(min, asset) })] : []),
    ...(typeof max === 'string' ? [m.stake_over_max({ max: amountWords(max, asset) })] : []),
    ...(typeof rate === 'string' ? [m.stake_rate_moved({ apr: formatPercent(rate) })] : []),
  )
}

function dataOf(error: Error | null): RefusalData {
  return error instanceof ApiError ? ((error.data ?? {}) as RefusalData) : {}
}
