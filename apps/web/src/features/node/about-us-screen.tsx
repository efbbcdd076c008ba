import type { Payload } from '../../../content/payload-schema.ts'
import { ErrorState } from '../../components/error-state.tsx'
import { Screen } from '../../components/screen.tsx'
import { Loading, TextSkeleton } from '../../components/skeleton-shapes.tsx'
import { ContentBlocks } from '../../content/content-blocks.tsx'
import { LiveLegend } from '../../content/live-text.tsx'
import { m } from '../../generated/paraglide/messages.js'

/** About us: the operator, the source of rewards, and how to check each claim. */
export function AboutUsScreen({
  payload,
  error,
  onRetry,
}: {
  payload: Payload | undefined
  /** The error that prevented loading the payload. */
  error: unknown
  onRetry: () => void
}) {
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
        <ErrorState error={error} onRetry={onRetry} />
      ) : (
        <Loading label={m.content_loading()} className="gap-8">
          <TextSkeleton lines={3} />
          <TextSkeleton lines={8} />
          <TextSkeleton lines={6} />
        </Loading>
      )}
    </Screen>
  )
}
