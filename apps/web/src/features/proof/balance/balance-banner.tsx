import { lazySheet } from '@clearwell/ui/components/lazy-part.tsx'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { useState } from 'react'
import { m } from '../../../generated/messages.ts'

const BalanceSheet = lazySheet(() => import('./balance-sheet.tsx'))

/** Says on every screen that the balance did not hold. Its sheet saves and removes the failed check. */
export default function BalanceBanner() {
  const [isOpen, setOpen] = useState(false)
  return (
    <div
      role="alert"
      className="flex items-center gap-2 border-b border-down/50 bg-down/12 ps-4 pe-2 text-secondary text-down"
    >
      <Icon name="circle-alert" className="size-5 shrink-0" />
      <p className="min-h-11 flex-1 content-center py-2 font-semibold text-phrases">{m.proof_balance_banner()}</p>
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        className="min-h-11 shrink-0 rounded-control px-2 font-semibold underline underline-offset-2"
      >
        {m.proof_balance_banner_open()}
      </button>
      {isOpen && <BalanceSheet onClose={() => setOpen(false)} />}
    </div>
  )
}
