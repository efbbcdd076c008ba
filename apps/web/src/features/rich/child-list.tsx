import { Button } from '@clearwell/ui/components/button.tsx'
import { Card, Section } from '@clearwell/ui/components/card.tsx'
import { EmptyState } from '@clearwell/ui/components/empty-state.tsx'
import { lazySheet } from '@clearwell/ui/components/lazy-part.tsx'
import { ListEnd } from '@clearwell/ui/components/list-end.tsx'
import { Loaded } from '@clearwell/ui/components/pending.tsx'
import { shortHex } from '@clearwell/ui/i18n/format.ts'
import { formatDateTime } from '@clearwell/ui/i18n/format-date.ts'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { useState } from 'react'
import { DemoMark } from '../../account/demo-mark.tsx'
import { m } from '../../generated/messages.ts'
import { RequestBadge } from './my-requests.tsx'
import { type Child, useChildren, type WaitingChild } from './rich.queries.ts'
import { CHILDREN } from './rich.samples.ts'
import { starWords } from './rich-words.ts'

const ApproveSheet = lazySheet(() => import('./approve-sheet.tsx'))

/** Says that requests wait for the user, and leads to them: they are below the earnings and the chart. */
export function WaitingRequests({ onShow }: { onShow: () => void }) {
  const count = useChildren().data?.filter(isWaiting).length ?? 0
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

/** The people whom the user invited and who linked a UID: each with its level, its star and its latest request. */
export function ChildList() {
  const children = useChildren()
  const [opened, setOpened] = useState<WaitingChild>()
  const { data } = children
  return (
    <Section title={m.rich_children()} action={data && data.length > 0 && <DemoMark />}>
      <Loaded read={children} sample={CHILDREN}>
        {(listed) =>
          listed.length === 0 ? (
            <EmptyState icon="users" title={m.rich_children_none()} text={m.rich_children_none_text()} />
          ) : (
            <ul className="flex flex-col divide-y divide-line">
              {listed.map((child) => (
                <li key={child.address}>
                  <ChildRow child={child} onApprove={setOpened} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <ListEnd {...children} />
      {opened && <ApproveSheet child={opened} onClose={() => setOpened(undefined)} />}
    </Section>
  )
}

function ChildRow({ child, onApprove }: { child: Child; onApprove: (child: WaitingChild) => void }) {
  const { name, uid, address, level, star, request } = child
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
            {uid !== null && <span>{m.rich_uid_is({ uid })}</span>}
            <span title={address}>{shortHex(address)}</span>
          </span>
          <span className="text-secondary text-muted">{m.rich_child_level({ level, star: starWords(star) })}</span>
        </span>
        {request && (
          <span className="shrink-0">
            <RequestBadge status={request.status} />
          </span>
        )}
      </div>
      {isWaiting(child) && (
        <div className="flex items-center gap-3 ps-12">
          <span className="flex min-w-0 flex-1 flex-col">
            <span>{m.rich_from_to({ from: starWords(star), to: starWords(child.request.star) })}</span>
            {child.request.passes_at !== null && (
              <span className="text-secondary text-muted">
                {m.rich_passes_alone({ time: formatDateTime(child.request.passes_at) })}
              </span>
            )}
          </span>
          <Button size="small" onClick={() => onApprove(child)}>
            {m.rich_approve()}
          </Button>
        </div>
      )}
    </article>
  )
}

function isWaiting(child: Child): child is WaitingChild {
  return child.request?.status === 'Requested'
}
