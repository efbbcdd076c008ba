import { Badge } from '@clearwell/ui/components/badge.tsx'
import { Section } from '@clearwell/ui/components/card.tsx'
import { ListEnd } from '@clearwell/ui/components/list-end.tsx'
import { formatDateTime } from '@clearwell/ui/i18n/format-date.ts'
import { m } from '../../generated/messages.ts'
import { type UpgradeRequest, useMyRequests } from './rich.queries.ts'
import { starWords } from './rich-words.ts'

/** Requested, Passed or Withdrawn, as a badge. */
export function RequestBadge({ status }: Pick<UpgradeRequest, 'status'>) {
  switch (status) {
    case 'Requested':
      return <Badge tone="pending">{m.rich_requested()}</Badge>
    case 'Passed':
      return <Badge tone="done">{m.rich_passed()}</Badge>
    case 'Withdrawn':
      return <Badge>{m.rich_withdrawn()}</Badge>
  }
}

/** The user's own requests, newest first, with who passed each and when. Nothing before the first one. */
export function MyRequests() {
  const requests = useMyRequests()
  const { data } = requests
  if (!data || data.length === 0) return null
  return (
    <Section title={m.rich_my_requests()}>
      <ul className="flex flex-col divide-y divide-line">
        {data.map((request) => (
          <li key={request.request_id} className="flex items-start justify-between gap-3 py-3">
            <span className="flex min-w-0 flex-col">
              <span className="font-semibold">{starWords(request.star)}</span>
              <span className="text-secondary text-muted">{outcomeText(request)}</span>
            </span>
            <RequestBadge status={request.status} />
          </li>
        ))}
      </ul>
      <ListEnd {...requests} />
    </Section>
  )
}

function outcomeText({ created_at, passes_at, passed_at, passed_by }: UpgradeRequest): string {
  if (passed_at !== null) {
    const time = formatDateTime(passed_at)
    return passed_by === 'parent' ? m.rich_passed_by_parent({ time }) : m.rich_passed_by_system({ time })
  }
  return passes_at === null
    ? m.rich_asked_at({ time: formatDateTime(created_at) })
    : m.rich_passes_alone({ time: formatDateTime(passes_at) })
}
