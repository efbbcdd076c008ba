import { useInView } from '@clearwell/ui/browser/in-view.ts'
import { lazyPart } from '@clearwell/ui/components/lazy-part.tsx'

const ProofCard = lazyPart(() => import('./proof-card.tsx'))

/** The proof card, loaded after the first paint once its place is near the screen. The place has its size. */
export function ProofSlot() {
  const [place, isNear] = useInView<HTMLDivElement>()
  return (
    <div ref={place} className="min-h-40">
      {/* Until its code is here, its frame alone. */}
      {isNear && <ProofCard fallback={<div className="min-h-40 rounded-card border border-line bg-surface" />} />}
    </div>
  )
}
