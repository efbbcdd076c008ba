import { ErrorState } from '@clearwell/ui/components/error-state.tsx'
import { Pending } from '@clearwell/ui/components/pending.tsx'
import { Screen } from '@clearwell/ui/components/screen.tsx'
import { Link } from '@tanstack/react-router'
import type { Payload } from '../../../content/payload-schema.ts'
import { OperatorContact } from '../../account/operator-contact.tsx'
import { CONTENT } from '../../content/content.samples.ts'
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
        <Page payload={payload} />
      ) : error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : (
        <Pending label={m.content_loading()}>
          <Page payload={CONTENT} />
        </Pending>
      )}
    </Screen>
  )
}

function Page({ payload }: { payload: Payload }) {
  return (
    <>
      <p className="text-section font-normal text-balance">{payload.summary}</p>
      <LiveLegend />
      <article className="min-w-0">
        <ContentBlocks blocks={payload.blocks ?? []} />
      </article>
      <Link to="/{-$locale}/trust" className="min-h-11 content-center font-semibold underline underline-offset-2">
        {m.trust_see()}
      </Link>
      <Link
        to="/{-$locale}/trust/changes"
        className="min-h-11 content-center font-semibold underline underline-offset-2"
      >
        {m.trust_see_changes()}
      </Link>
      <OperatorContact />
    </>
  )
}
