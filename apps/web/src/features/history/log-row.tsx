import type { ListItem } from '../../api/use-list-call.ts'
import { HIDDEN_TEXT, useHiddenAmounts } from '../../browser/hidden-amounts.ts'
import { AmountText } from '../../components/amount-text.tsx'
import { formatAmount, formatDateTime, formatTime } from '../../i18n/format.ts'
import { whatHappened } from './log-kind.ts'
import { placeName } from './log-place.ts'

export type LogEntry = ListItem<'logs'>

/** A ledger entry: what happened, and the balance of the place that it changed, after it. */
export function LogRow({
  entry,
  time = 'time',
  onOpen,
}: {
  entry: LogEntry
  time?: 'time' | 'date'
  onOpen: () => void
}) {
  const { hidden } = useHiddenAmounts()
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      onClick={onOpen}
      className="flex min-h-16 w-full items-center gap-3 py-2 text-start"
    >
      <span className="flex min-w-0 flex-1 flex-col">
        <span>{whatHappened(entry)}</span>
        <span className="figures text-label text-muted">
          {time === 'time' ? formatTime(entry.created_at) : formatDateTime(entry.created_at)}
        </span>
      </span>
      <span className="figures flex min-w-0 shrink-0 flex-col items-end text-end">
        {hidden ? HIDDEN_TEXT : <AmountText amount={entry.amount} asset={entry.asset} signed />}
        <span className="text-label text-muted">
          {placeName(entry.place)} {hidden ? HIDDEN_TEXT : formatAmount(entry.balance_after)}
        </span>
      </span>
    </button>
  )
}
