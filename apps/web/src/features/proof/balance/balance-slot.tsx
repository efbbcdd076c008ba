import { useInView } from '@clearwell/ui/browser/in-view.ts'
import { lazyPart } from '@clearwell/ui/components/lazy-part.tsx'

const BalanceCard = lazyPart(() => import('./balance-card.tsx'))

/** The card of the balance check, loaded once its place is near the screen. The place has its size. */
export default function BalanceSlot() {
  const [place, isNear] = useInView<HTMLDivElement>()
  return (
    <div ref={place} className="min-h-32">
      {isNear && <BalanceCard fallback={<div className="min-h-32 rounded-card border border-line bg-surface" />} />}
    </div>
  )
}
