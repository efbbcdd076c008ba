import { HIDDEN_TEXT, useHiddenAmounts } from '@clearwell/ui/browser/hidden-amounts.ts'
import { CopyButton } from '@clearwell/ui/components/copy-button.tsx'
import { FactList } from '@clearwell/ui/components/fact-list.tsx'
import { HashText } from '@clearwell/ui/components/hash-text.tsx'
import { Sheet } from '@clearwell/ui/components/sheet.tsx'
import { formatAmount, shortHex } from '@clearwell/ui/i18n/format.ts'
import { formatDate, formatTime } from '@clearwell/ui/i18n/format-date.ts'
import { useConfig } from '../../api/config.ts'
import { m } from '../../generated/messages.ts'
import { accountName, describeEntry, kindName, type LogEntry } from './entry-names.ts'
import { HeaderLink } from './header-link.tsx'

/** An entry is final, so its amounts are shown to the last unit. */
const ALL_DECIMALS = 18

/** One entry in full. */
export default function LogSheet({ entry, onClose }: { entry: LogEntry; onClose: () => void }) {
  const { hidden } = useHiddenAmounts()
  const exact = (amount: string, signed = false) =>
    hidden ? (
      HIDDEN_TEXT
    ) : (
      <Exact amount={formatAmount(amount, { decimals: ALL_DECIMALS, signed })} asset={entry.asset} />
    )
  return (
    <Sheet title={describeEntry(entry)} onClose={onClose}>
      <FactList
        facts={[
          { label: m.history_logs_exact(), value: exact(entry.amount, true) },
          { label: m.history_logs_status(), value: accountName(entry.place) },
          { label: m.history_logs_after(), value: exact(entry.balance_after) },
          { label: m.history_logs_filter_kind(), value: kindName(entry.kind) },
          { label: m.history_logs_time(), value: `${formatDate(entry.created_at)} ${formatTime(entry.created_at)}` },
          isHash(entry.reference)
            ? { label: m.history_logs_hash(), value: <Hash hash={entry.reference} /> }
            : { label: m.history_logs_reference(), value: <Reference text={entry.reference} /> },
          { label: m.history_logs_entry(), value: entryNumber(entry) },
        ]}
      />
      <HeaderLink entry={entryNumber(entry)} />
    </Sheet>
  )
}

/** Eighteen decimals are long: in a smaller font they fit on one line of a small phone. */
function Exact({ amount, asset }: { amount: string; asset: string }) {
  return (
    <>
      <span className="text-secondary">{amount}</span> <span className="text-label text-muted">{asset}</span>
    </>
  )
}

/** The entry's number. The rest of the id names one of its postings, which the CSV export leaves out. */
function entryNumber({ id }: LogEntry): string {
  return id.split('-', 1)[0] ?? id
}

function isHash(reference: string): boolean {
  return /^0x[0-9a-f]{64}$/i.test(reference)
}

function Hash({ hash }: { hash: string }) {
  const explorer = useConfig()?.chain.explorer_url ?? null
  return <HashText hash={hash} explorer={explorer} copyLabel={m.history_copy_hash()} />
}

function Reference({ text }: { text: string }) {
  return (
    <span className="-my-3 -me-2 inline-flex items-center" title={text}>
      {shortHex(text)}
      <CopyButton text={text} label={m.history_copy_reference()} />
    </span>
  )
}
