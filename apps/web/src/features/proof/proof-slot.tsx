import { lazyPart } from '../../components/lazy-part.tsx'
import { Skeleton } from '../../components/skeleton.tsx'

const ProofCard = lazyPart(() => import('./proof-card.tsx'))

/** The proof card, loaded after the first paint into a place of its size. */
export function ProofSlot() {
  return <ProofCard fallback={<Skeleton className="h-40" />} />
}
