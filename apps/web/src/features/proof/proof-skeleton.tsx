import { Skeleton } from '@clearwell/ui/components/skeleton.tsx'
import { m } from '../../generated/messages.ts'

/**
 * The proof of reserves: its seal and title, two lines of figures, and its link.
 * Beside the other shapes it would bring all of them to home.
 */
export function ProofSkeleton() {
  return (
    <div className="flex min-h-40 flex-col rounded-card border border-line bg-surface p-4">
      <div className="mb-2 flex min-h-6 items-center gap-2">
        <Skeleton className="size-6 rounded-full!" />
        <Skeleton className="h-5 w-32" />
      </div>
      <ProofLinesSkeleton />
      <Skeleton className="mt-auto h-4 w-28" />
    </div>
  )
}

/** The lines of figures in the proof. */
export function ProofLinesSkeleton() {
  return (
    <div role="status" aria-label={m.app_loading()} className="flex flex-col gap-2">
      <Skeleton className="h-4 w-3/4" />
      <Skeleton className="h-3.5 w-full" />
      <Skeleton className="h-3.5 w-2/3" />
    </div>
  )
}
