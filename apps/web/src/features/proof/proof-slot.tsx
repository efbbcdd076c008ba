import { useInView } from '../../browser/in-view.ts'
import { lazyPart } from '../../components/lazy-part.tsx'
import { Skeleton } from '../../components/skeleton.tsx'

const ProofCard = lazyPart(() => import('./proof-card.tsx'))

/** The proof card, loaded after the first paint once its place is near the screen. The place has its size. */
export function ProofSlot() {
  const [place, isNear] = useInView<HTMLDivElement>()
  const waiting = <Skeleton className="h-40" />
  return <div ref={place}>{isNear ? <ProofCard fallback={waiting} /> : waiting}</div>
}
