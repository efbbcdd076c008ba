import { useState } from 'react'
import { useAccountAddress } from '../../account/use-account.ts'
import { Button } from '../../components/button.tsx'
import { lazySheet } from '../../components/lazy-part.tsx'
import { m } from '../../generated/paraglide/messages.js'
import { formatTime } from '../../i18n/format.ts'
import { Icon } from '../../icons/icon.tsx'
import { type PendingSwap, usePendingSwaps } from './pending-swap.ts'
import { useSwapStatus } from './swap.queries.ts'
import type { SwapOrder } from './swap-orders.tsx'
import { useIsSwapping } from './use-swap-call.ts'

export const LostSwapSheet = lazySheet(() => import('./lost-swap-sheet.tsx'))

interface PendingSwapsProps {
  readonly onSwapped: () => void
  readonly onViewOrder: (order: SwapOrder) => void
}

/** The swaps whose answer was lost, in this visit or an earlier one, with what became of them. */
export function PendingSwaps(props: PendingSwapsProps) {
  return usePendingSwaps(useAccountAddress()).map((pending) => (
    <PendingSwapNote key={pending.key} pending={pending} {...props} />
  ))
}

function PendingSwapNote({ pending, ...ways }: { pending: PendingSwap } & PendingSwapsProps) {
  const [isOpen, setOpen] = useState(false)
  const isSwapping = useIsSwapping()
  const status = useSwapStatus(pending)
  return (
    <section
      aria-label={m.swap_lost_title()}
      className="flex items-center gap-3 rounded-card border border-warn/50 py-2.5 ps-3 pe-2"
    >
      <Icon name="triangle-alert" className="text-warn" />
      <p role="status" className="min-w-0 flex-1">
        <strong className="block">{`${pending.sold} → ${pending.bought}`}</strong>
        <span>{isSwapping ? m.swap_lost_waiting() : noteText()}</span>
      </p>
      <Button look="quiet" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {m.swap_lost_open()}
      </Button>
      {isOpen && <LostSwapSheet pending={pending} {...ways} onClose={() => setOpen(false)} />}
    </section>
  )

  function noteText(): string {
    switch (status.outcome) {
      case 'checking':
        return status.isError ? m.swap_lost_unknown() : m.swap_lost_checking()
      case 'completed':
        return m.swap_lost_completed()
      case 'failed':
        return m.swap_lost_nothing()
      case 'not_yet':
        return m.swap_lost_not_yet({ time: formatTime(String(pending.payload.deadline)) })
      case 'never':
        return m.swap_lost_late()
    }
  }
}
