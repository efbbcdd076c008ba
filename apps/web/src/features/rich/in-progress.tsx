import { useHiddenAmounts } from '@clearwell/ui/browser/hidden-amounts.ts'
import { Badge } from '@clearwell/ui/components/badge.tsx'
import { Card } from '@clearwell/ui/components/card.tsx'
import type { ReactNode } from 'react'
import { m } from '../../generated/messages.ts'
import { RequestBadge } from './my-requests.tsx'
import type { RichOverview } from './rich.queries.ts'
import { returnWords, waitingWords } from './rich-words.ts'

/** Shows what is in progress with the user's star: a request, or the step down. */
export function InProgress({ request, step_down: stepDown }: Pick<RichOverview, 'request' | 'step_down'>) {
  const { hide } = useHiddenAmounts()
  if (stepDown)
    return (
      <StateCard
        title={m.rich_stepping_down()}
        badge={<Badge tone="pending">{m.rich_notice_given()}</Badge>}
        text={hide(returnWords(stepDown))}
      />
    )
  if (request?.status !== 'Requested') return null
  return (
    <StateCard
      title={m.rich_request_of({ n: String(request.star) })}
      badge={<RequestBadge status={request.status} />}
      text={waitingWords(request)}
    />
  )
}

function StateCard({ title, badge, text }: { title: string; badge: ReactNode; text: string }) {
  return (
    <Card className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-x-3">
        <h2 className="text-section">{title}</h2>
        {badge}
      </div>
      <p className="text-secondary text-muted">{text}</p>
    </Card>
  )
}
