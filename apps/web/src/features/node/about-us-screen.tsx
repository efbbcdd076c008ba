import { ErrorState } from '@clearwell/ui/components/error-state.tsx'
import { Screen } from '@clearwell/ui/components/screen.tsx'
import { Skeleton } from '@clearwell/ui/components/skeleton.tsx'
import { CardSkeleton, FactsSkeleton, Loading, TextSkeleton } from '@clearwell/ui/components/skeleton-shapes.tsx'
import { ContentBlocks } from '../../content/content-blocks.tsx'
import { LiveLegend } from '../../content/live-text.tsx'
import { usePayload } from '../../content/payload.ts'
import { m } from '../../generated/messages.ts'

/** About us: the operator, the source of rewards, and how to check each claim. */
export default function AboutUsScreen() {
  const { data: payload, error, refetch } = usePayload('/node/aboutUs')
  return (
    <Screen title={m.nav_about_us()}>
      {payload ? (
        <>
          <p className="text-section font-normal text-balance">{payload.summary}</p>
          <LiveLegend />
          <article className="min-w-0">
            <ContentBlocks blocks={payload.blocks ?? []} />
          </article>
        </>
      ) : error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : (
        <Loading label={m.content_loading()} className="gap-4">
          <Skeleton className="my-0.5 h-5 w-11/12" />
          <Skeleton className="h-11" />
          <div className="mt-6 border-t border-line pt-6">
            <Skeleton className="my-0.5 h-6.5 w-32" />
          </div>
          <TextSkeleton lines={6} />
          <TextSkeleton lines={5} />
          <CardSkeleton title>
            <FactsSkeleton count={5} />
          </CardSkeleton>
        </Loading>
      )}
    </Screen>
  )
}
