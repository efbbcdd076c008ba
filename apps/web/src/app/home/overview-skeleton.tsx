import { Skeleton } from '@clearwell/ui/components/skeleton.tsx'
import { useAccount } from '../../account/use-account.ts'
import { m } from '../../generated/messages.ts'
import { useHomeShape } from './home-shape.ts'

/** In the shape of `AccountOverview`: the total with its change, and the rest. */
export function OverviewSkeleton() {
  return (
    <div role="status" aria-label={m.app_loading()} className="flex flex-col gap-6">
      <div className="flex flex-col gap-1 py-2">
        <Skeleton className="my-1.5 h-4 w-24" />
        <Skeleton className="h-11 w-48" />
        <Skeleton className="my-0.5 h-3 w-32" />
        <Skeleton className="h-4 w-40" />
      </div>
      <ActionsSkeleton />
    </div>
  )
}

/** In the shape of what is below the total, as this device knows it: a danger, the actions, the steps, and the card of the day. */
export function ActionsSkeleton() {
  const { user } = useAccount()
  const { hasDanger, steps } = useHomeShape()
  return (
    <>
      {hasDanger && <div className="min-h-40 rounded-card border border-line" />}
      <div className="flex justify-around gap-2">
        <Skeleton className="mb-6 size-13 rounded-full" />
        <Skeleton className="mb-6 size-13 rounded-full" />
        <Skeleton className="mb-6 size-13 rounded-full" />
        <Skeleton className="mb-6 size-13 rounded-full" />
      </div>
      {/* As `Checklist`: its heading, and 3.5 rem for each step. */}
      {steps > 0 && <div className="rounded-card bg-surface" style={{ minHeight: `${4 + 3.5 * steps}rem` }} />}
      {user?.activated === false ? null : <CardOfDaySkeleton />}
    </>
  )
}

export function CardOfDaySkeleton() {
  return <div className="min-h-23 rounded-card border border-line" />
}
