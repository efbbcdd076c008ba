import { lazySheet } from '@clearwell/ui/components/lazy-part.tsx'
import { Icon, type IconName } from '@clearwell/ui/icons/icon.tsx'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useAccount } from '../../account/use-account.ts'
import { m } from '../../generated/messages.ts'

const RetrieveSheet = lazySheet(() => import('../../vault-payment/retrieve-sheet.tsx'))

const RECORDS = [
  { to: '/{-$locale}/wallet/summary', icon: 'chart-no-axes-combined', label: m.title_wallet_summary },
  { to: '/{-$locale}/wallet/logs', icon: 'receipt-text', label: m.title_wallet_logs },
  { to: '/{-$locale}/wallet/buyOrder', icon: 'arrow-down-to-line', label: m.title_wallet_buy_order },
  { to: '/{-$locale}/wallet/sellOrder', icon: 'arrow-up-from-line', label: m.title_wallet_sell_order },
  { to: '/{-$locale}/transaction', icon: 'history', label: m.nav_transaction_history },
] as const

/** Links to the complete records behind the activity, and to the search for a missed payment. */
export default function Records() {
  return <RecordLinks records={RECORDS} />
}

/** The records that are no view of the activity. */
export function OtherRecords() {
  return <RecordLinks records={RECORDS.slice(0, 1)} />
}

function RecordLinks({ records }: { records: readonly (typeof RECORDS)[number][] }) {
  const { signedIn } = useAccount()
  const [retrieving, setRetrieving] = useState(false)
  if (!signedIn) return null
  return (
    <nav aria-label={m.history_records()}>
      <h2 className="mb-1 text-section">{m.history_records()}</h2>
      <ul className="grid grid-cols-2 gap-x-4">
        {records.map(({ to, icon, label }) => (
          <li key={to} className="border-b border-line">
            <Link to={to} className={ROW}>
              <RecordFace icon={icon} label={label()} />
            </Link>
          </li>
        ))}
        <li className="border-b border-line">
          <button type="button" aria-haspopup="dialog" onClick={() => setRetrieving(true)} className={ROW}>
            <RecordFace icon="search" label={m.wallet_retrieve()} />
          </button>
        </li>
      </ul>
      {retrieving && <RetrieveSheet onClose={() => setRetrieving(false)} />}
    </nav>
  )
}

const ROW = 'flex min-h-13 w-full items-center gap-2 py-2 text-start hover:text-accent'

function RecordFace({ icon, label }: { icon: IconName; label: string }) {
  return (
    <>
      <Icon name={icon} className="text-muted" />
      <span className="min-w-0 flex-1">{label}</span>
    </>
  )
}
