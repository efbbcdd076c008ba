import type { Answer } from '@clearwell/api/routes'
import { useState } from 'react'
import { m } from '../../generated/paraglide/messages.js'
import { AmountText } from '../../ui/amount-text.tsx'
import { FactList } from '../../ui/fact-list.tsx'
import { formatAmount, formatDateTime, formatTime } from '../../ui/format.ts'
import { HashText } from './hash-text.tsx'
import { HIDDEN_TEXT, useHiddenAmounts } from './hidden-amounts.ts'
import { kindName } from './log-kind.ts'

export type LogEntry = Answer<'logs'>['items'][number]

/** A ledger entry with the balance after it. Pressed, it shows everything that the ledger says of it. */
export function LogRow({ entry, time = 'time' }: { entry: LogEntry; time?: 'time' | 'date' }) {
  const [open, setOpen] = useState(false)
  const { hidden } = useHiddenAmounts()
  return (
    <li>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex min-h-16 w-full items-center gap-3 py-2 text-start"
      >
        <span className="flex min-w-0 flex-1 flex-col">
          <span className="truncate">{kindName(entry.kind)}</span>
          <span className="figures text-label text-muted">
            {time === 'time' ? formatTime(entry.created_at) : formatDateTime(entry.created_at)}
          </span>
        </span>
        <span className="figures flex shrink-0 flex-col items-end text-end">
          {hidden ? HIDDEN_TEXT : <AmountText amount={entry.amount} asset={entry.asset} signed />}
          <span className="text-label text-muted">
            {m.wallet_logs_balance({ amount: hidden ? HIDDEN_TEXT : formatAmount(entry.balance_after) })}
          </span>
        </span>
      </button>
      {open && <Details entry={entry} hidden={hidden} />}
    </li>
  )
}

function Details({ entry, hidden }: { entry: LogEntry; hidden: boolean }) {
  return (
    <div className="mb-3 rounded-control border border-line bg-ground/40 px-3">
      <FactList
        facts={[
          { label: m.wallet_logs_exact(), value: hidden ? HIDDEN_TEXT : `${entry.amount} ${entry.asset}` },
          { label: m.wallet_logs_after(), value: hidden ? HIDDEN_TEXT : `${entry.balance_after} ${entry.asset}` },
          { label: m.wallet_logs_time(), value: formatDateTime(entry.created_at) },
          {
            label: m.wallet_logs_reference(),
            value: <HashText hash={entry.reference} explorer={null} copyLabel={m.wallet_copy_reference()} />,
          },
          { label: m.wallet_logs_entry(), value: entry.id },
        ]}
      />
    </div>
  )
}
