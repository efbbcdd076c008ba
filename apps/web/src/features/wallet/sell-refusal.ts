import { ApiError } from '../../api/api-error.ts'
import { m } from '../../generated/paraglide/messages.js'
import { errorText } from '../../ui/error-text.ts'
import { formatAmount } from '../../ui/format.ts'

/** Why a transfer out was not begun, whether anything was locked, and what to do. */
export function sellRefusalText(error: Error, asset: string): string {
  const isKnown = error instanceof ApiError && !error.isTransient && error.codeName !== 'sign_in_again'
  if (!isKnown) return `${errorText(error)} ${m.wallet_out_unknown()}`
  return `${reasonText(error, asset)} ${m.wallet_out_not_locked()}`
}

function reasonText(error: ApiError, asset: string): string {
  const { min, max, reason } = (error.data ?? {}) as { min?: unknown; max?: unknown; reason?: unknown }
  switch (error.codeName) {
    case 'balance_not_enough':
      return sentence(m.wallet_balance_not_enough())
    case 'amount_out_of_range':
      return rangeText({ min, max }, asset) ?? sentence(errorText(error))
    case 'trading_suspended':
      return suspendedText(reason) ?? sentence(errorText(error))
    default:
      return sentence(errorText(error))
  }
}

/** The bounds that the server named. */
function rangeText({ min, max }: { min: unknown; max: unknown }, asset: string): string | undefined {
  const texts = [
    typeof min === 'string' && m.wallet_out_under_min({ min: `${formatAmount(min)} ${asset}` }),
    typeof max === 'string' && m.wallet_out_over_max({ max: `${formatAmount(max)} ${asset}` }),
  ].filter((text) => text !== false)
  return texts.length === 0 ? undefined : texts.map(sentence).join(' ')
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

/** Ends a text as a sentence, in whichever script it is. */
function sentence(text: string): string {
  if (/[.。！？!?]$/.test(text)) return text
  return /\p{Script=Han}/u.test(text) ? `${text}。` : `${text}.`
}
