import { cx } from '@clearwell/ui/browser/cx.ts'
import { ProofSeal } from '@clearwell/ui/components/brand-mark.tsx'
import { lazySheet, usePreloaded } from '@clearwell/ui/components/lazy-part.tsx'
import { formatAmount } from '@clearwell/ui/i18n/format.ts'
import { formatDateTime } from '@clearwell/ui/i18n/format-date.ts'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { useState } from 'react'
import { m } from '../../../generated/messages.ts'
import type { FailedCheck, KeptCheck } from './kept-check.ts'
import { useBalanceCheck } from './use-balance-check.ts'

const BalanceSheet = lazySheet(() => import('./balance-sheet.tsx'))
const SHEETS = [BalanceSheet]

/** The last check of the account's balance. A press anywhere checks it again, in a sheet. */
export default function BalanceCard() {
  const [isOpen, setOpen] = useState(false)
  const { kept, failure } = useBalanceCheck()
  usePreloaded(SHEETS)
  return (
    <section
      aria-label={m.proof_balance_card()}
      className="relative flex min-h-32 flex-col rounded-card border border-line bg-surface px-4 pt-4 pb-1 hover:border-accent"
    >
      <header className="mb-2 flex min-h-6 items-center gap-2">
        {failure ? <Icon name="circle-alert" className="size-6 text-down" /> : <ProofSeal />}
        <h2 className="flex-1 text-section">{m.proof_balance_card()}</h2>
      </header>
      <LastCheck kept={kept} failure={failure} />
      {/* Its target is the whole card. */}
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        className="mt-auto flex min-h-11 items-center justify-between gap-2 text-start font-semibold text-accent after:absolute after:inset-0 after:rounded-card"
      >
        {m.proof_balance_check()}
        <Icon name="chevron-left" className="rotate-180" />
      </button>
      {isOpen && <BalanceSheet starts onClose={() => setOpen(false)} />}
    </section>
  )
}

function LastCheck({ kept, failure }: { kept: KeptCheck | undefined; failure: FailedCheck | undefined }) {
  if (failure)
    return (
      <p className="text-secondary text-down">
        {m.proof_balance_last_broken({ time: formatDateTime(failure.checkedAt) })}
      </p>
    )
  return (
    <p className={cx('text-secondary text-muted', kept && 'figures')}>
      {kept
        ? m.proof_balance_last_held({
            header: formatAmount(kept.signed.number),
            time: formatDateTime(kept.checkedAt),
          })
        : m.proof_balance_never()}
    </p>
  )
}
