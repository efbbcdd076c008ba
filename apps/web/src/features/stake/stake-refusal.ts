import { ApiError } from '../../api/api-error.ts'
import { m } from '../../generated/paraglide/messages.js'
import { errorText } from '../../i18n/error-text.ts'
import { formatPercent } from '../../i18n/format.ts'
import { sentences } from '../../i18n/sentences.ts'
import { amountWords } from './stake-words.ts'

/** The data of a refusal. Any of it may be missing. */
interface RefusalData {
  readonly min?: unknown
  readonly max?: unknown
  readonly rate?: unknown
}

/** Why the server rejected a command, with the figures that it names. */
export function refusedText(error: Error, asset: string): string {
  const { min, max, rate } = dataOf(error)
  return sentences(
    errorText(error),
    ...(typeof min === 'string' ? [m.stake_under_min({ min: amountWords(min, asset) })] : []),
    ...(typeof max === 'string' ? [m.stake_over_max({ max: amountWords(max, asset) })] : []),
    ...(typeof rate === 'string' ? [m.stake_rate_moved({ apr: formatPercent(rate) })] : []),
  )
}

/** The most that is possible now, where the refusal names it. */
export function mostOf(error: Error | null): string | undefined {
  const { max } = dataOf(error)
  return typeof max === 'string' ? max : undefined
}

function dataOf(error: Error | null): RefusalData {
  return error instanceof ApiError ? ((error.data ?? {}) as RefusalData) : {}
}
