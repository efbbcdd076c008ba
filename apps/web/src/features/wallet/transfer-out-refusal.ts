import { ApiError } from '../../api/api-error.ts'
import { m } from '../../generated/paraglide/messages.js'
import { errorText } from '../../i18n/error-text.ts'
import { formatAmount } from '../../i18n/format.ts'
import { sentences } from '../../i18n/sentences.ts'

/** Why a transfer out did not start, whether anything was locked, and what to do next. */
export function transferOutRefusalText(error: Error, asset: string): string {
  const isKnown = error instanceof ApiError && !error.isTransient && error.codeName !== 'sign_in_again'
  if (!isKnown) return sentences(errorText(error), m.wallet_out_unknown())
  return sentences(...reasonTexts(error, asset), m.wallet_out_not_locked())
}

function reasonTexts(error: ApiError, asset: string): string[] {
  const { min, max, reason } = (error.data ?? {}) as { min?: unknown; max?: unknown; reason?: unknown }
  switch (error.codeName) {
    case 'balance_not_enough':
      return [m.wallet_balance_not_enough()]
    case 'amount_out_of_range':
      return rangeTexts({ min, max }, asset) ?? [errorText(error)]
    case 'trading_suspended':
      return [suspendedText(reason) ?? errorText(error)]
    default:
      return [errorText(error)]
  }
}

/** The limits from the server. */
function rangeTexts({ min, max }: { min: unknown; max: unknown }, asset: string): string[] | undefined {
  const texts = [
    typeof min === 'string' && m.wallet_out_under_min({ min: `${formatAmount(min)} ${asset}` }),
    typeof max === 'string' && m.wallet_out_over_max({ max: `${formatAmount(max)} ${asset}` }),
  ].filter((text) => text !== false)
  return texts.length === 0 ? undefined : texts
}

function suspendedText(reason: unknown): string | undefined {
  switch (reason) {
    case 'insolvent':
      return m.wallet_out_refuse_insolvent()
    case 'withdrawals_paused':
      return m.wallet_out_refuse_paused()
    case 'signer_not_accepted':
      return m.wallet_out_refuse_signer()
    case 'daily_limit_reached':
      return m.wallet_out_refuse_day()
    default:
      return undefined
  }
}
