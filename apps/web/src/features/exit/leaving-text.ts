import { formatDateTime } from '@clearwell/ui/i18n/format-date.ts'
import { m } from '../../generated/messages.ts'
import type { Exit } from './exit.queries.ts'

/** Says in a sentence which acts of an account that leaves still work, and until when. */
export function stateText({ state, allowed, repay_until: repayUntil, ready_at: readyAt }: Exit): string {
  if (state === 'ready') return m.exit_short_ready()
  if (state === 'cancelling') return m.exit_short_reopening()
  if (allowed.includes('repay') && repayUntil) return m.exit_short_repay({ time: formatDateTime(repayUntil) })
  return m.exit_short_waiting({ time: readyAt ? formatDateTime(readyAt) : '' })
}
