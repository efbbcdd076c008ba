import { Skeleton } from '../../components/skeleton.tsx'
import { m } from '../../generated/paraglide/messages.js'

/** Rows that are being fetched, as high as they will be. */
export function RowsSkeleton() {
  return (
    <div role="status" aria-label={m.app_loading()} className="flex flex-col">
      {[1, 2, 3, 4, 5, 6].map((row) => (
        <Skeleton key={row} className="my-1 h-14" />
      ))}
    </div>
  )
}
