import { useStore } from '@clearwell/ui/browser/store.ts'
import { lazyPart } from '@clearwell/ui/components/lazy-part.tsx'
import { sealedDay } from './sealed-day.ts'

const NotedRoots = lazyPart(() => import('./noted-roots.tsx'))

/**
 * Part of the frame: while this browser knows of a sealed box, it follows the roots on every screen. Only a root that was seen
 * before its block proves their order. A visit without a sealed box loads and requests nothing.
 */
export function RootsHost() {
  return useStore(sealedDay) !== undefined && <NotedRoots />
}
