import { Skeleton } from '../../components/skeleton.tsx'
import { m } from '../../generated/paraglide/messages.js'

/** In the shape of `AccountOverview`: the total with its change, and the actions. */
export function OverviewSkeleton() {
  return (
    <div role="status" aria-label={m.app_loading()} className="flex flex-col gap-6">
      <div className="flex flex-col gap-1">
        <Skeleton className="my-1.5 h-4 w-24" />
        <Skeleton className="h-11 w-48" />
        <Skeleton className="my-1 h-4 w-40" />
      </div>
      <div className="flex justify-around gap-2">
        <Skeleton className="mb-6.5 size-13 rounded-full" />
        <Skeleton className="mb-6.5 size-13 rounded-full" />
        <Skeleton className="mb-6.5 size-13 rounded-full" />
        <Skeleton className="mb-6.5 size-13 rounded-full" />
      </div>
    </div>
  )
}
