import { useState } from 'react'
import { DemoMark } from '../../account/demo-mark.tsx'
import { Button } from '../../components/button.tsx'
import { Card, Section } from '../../components/card.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { lazySheet } from '../../components/lazy-part.tsx'
import { ListEnd } from '../../components/list-end.tsx'
import { Loading, RowsSkeleton } from '../../components/skeleton-shapes.tsx'
import { m } from '../../generated/paraglide/messages.js'
import { shortHex } from '../../i18n/format.ts'
import { formatDateTime } from '../../i18n/format-date.ts'
import { Icon } from '../../icons/icon.tsx'
import { RequestBadge } from './in-progress.tsx'
import { type UpgradeRequest, useChildRequests } from './rich.queries.ts'
import { starWords } from './rich-words.ts'

const ApproveSheet = lazySheet(() => import('./approve-sheet.tsx'))

/** Says that requests wait for the user, and leads to them: they are below the earnings and the chart. */
export function WaitingRequests({ onShow }: { onShow: () => void }) {
  const count = useChildRequests().data?.filter((request) => request.can_approve).length ?? 0
  if (count === 0) return null
  return (
    <Card className="flex items-center justify-between gap-3">
      <p className="flex min-w-0 items-center gap-3">
        <Icon name="users" className="shrink-0 text-accent" />
        {m.rich_waiting({ count })}
      </p>
      <Button look="quiet" size="small" onClick={onShow}>
        {m.rich_waiting_show()}
      </Button>
    </Card>
  )
}

/** The requests of the user's children: those that wait, and those that passed. */
export function ChildRequests() {
  const requests = useChildRequests()
  const [opened, setOpened] = useState<UpgradeRequest>()
  const { data } = requests
  return (
    <Section title={m.rich_children()} action={data && data.length > 0 && <DemoMark />}>
      {data?.length === 0 ? (
        <EmptyState icon="users" title={m.rich_children_none()} text={m.rich_children_none_text()} />
      ) : data ? (
        <ul className="flex flex-col divide-y divide-line">
          {data.map((request) => (
            <li key={request.request_id}>
              <RequestRow request={request} onApprove={() => setOpened(request)} />
            </li>
          ))}
        </ul>
      ) : requests.isError ? (
        <ErrorState error={requests.error} onRetry={requests.refetch} />
      ) : (
        <Loading>
          <RowsSkeleton count={2} mark />
        </Loading>
      )}
      <ListEnd {...requests} />
      {opened && <ApproveSheet request={opened} onClose={() => setOpened(undefined)} />}
    </Section>
  )
}

function RequestRow({ request, onApprove }: { request: UpgradeRequest; onApprove: () => void }) {
  // `star` is the level of now, which may be above the one of an earlier request.
  const { name, uid, address, star, requested_star, status } = request
  return (
    <article aria-label={name} className="flex flex-col gap-2 py-3">
      <div className="flex items-start gap-3">
        <span
          aria-hidden="true"
          className="flex size-9 shrink-0 items-center justify-center rounded-full bg-input font-semibold text-accent"
        >
          {[...name][0]}
        </span>
        <span className="flex min-w-0 flex-1 flex-col">
          <span className="truncate font-semibold">{name}</span>
          <span className="figures flex flex-wrap gap-x-2 text-secondary text-muted">
            <span>{m.rich_uid_is({ uid })}</span>
            <span title={address}>{shortHex(address)}</span>
          </span>
        </span>
        <span className="flex shrink-0 flex-col items-end gap-1">
          <RequestBadge status={status} />
        </span>
      </div>
      <div className="flex items-center gap-3 ps-12">
        <span className="flex min-w-0 flex-1 flex-col">
          <span>
            {status === 'Passed'
              ? m.rich_rose_to({ n: String(requested_star) })
              : m.rich_from_to({ from: starWords(star), to: starWords(requested_star) })}
          </span>
          <span className="text-secondary text-muted">{deadlineText(request)}</span>
        </span>
        {request.can_approve && (
          <Button size="small" onClick={onApprove}>
            {m.rich_approve()}
          </Button>
        )}
      </div>
    </article>
  )
}

/** The deadline of an approval, the account that a request moved to, or the time when it passed. */
function deadlineText({ can_approve, passes_up_at: until, passed_at: passed, asked }: UpgradeRequest): string {
  if (passed !== null) return m.rich_passed_at({ time: formatDateTime(passed) })
  if (can_approve && until !== null) return m.rich_respond_by({ time: formatDateTime(until) })
  return asked === null ? m.rich_waits_for_system() : m.rich_passed_on_to({ address: asked })
}
