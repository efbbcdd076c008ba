import { useInView } from '@clearwell/ui/browser/in-view.ts'
import { lazyPart } from '@clearwell/ui/components/lazy-part.tsx'
import { ProofSkeleton } from './proof-skeleton.tsx'

const ProofCard = lazyPart(() => import('./proof-card.tsx'))

/** The proof card, loaded after the first paint once its place is near the screen. The place has its size. */
export function ProofSlot() {
  const [place, isNear] = useInView<HTMLDivElement>()
  return (
    <div ref={place} className="min-h-40">
      {isNear && <ProofCard fallback={<ProofSkeleton />} />}
    </div>
  )
}
