import { Skeleton } from '../components/skeleton.tsx'

/** The shape of a screen: its title, a card, a list. */
export function ScreenSkeleton() {
  return (
    <div aria-busy="true" className="flex flex-1 flex-col gap-4 px-4 pt-4 pb-6">
      <Skeleton className="h-8 w-40" />
      <Skeleton className="h-32" />
      <Skeleton className="h-14" />
      <Skeleton className="h-14" />
    </div>
  )
}
