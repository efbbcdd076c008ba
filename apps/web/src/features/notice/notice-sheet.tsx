import { Badge } from '@clearwell/ui/components/badge.tsx'
import { Button } from '@clearwell/ui/components/button.tsx'
import { EmptyState } from '@clearwell/ui/components/empty-state.tsx'
import { ErrorState } from '@clearwell/ui/components/error-state.tsx'
import { ListEnd } from '@clearwell/ui/components/list-end.tsx'
import { Pending } from '@clearwell/ui/components/pending.tsx'
import { Sheet } from '@clearwell/ui/components/sheet.tsx'
import { type ReactNode, useEffect, useState } from 'react'
import { useAccount } from '../../account/use-account.ts'
import { requestSignIn } from '../../api/session-store.ts'
import { useListCall } from '../../api/use-list-call.ts'
import { m } from '../../generated/messages.ts'
import { groupNotices, isReplaced, type NoticeGroup } from './group-notices.ts'
import { type Notice, useLatestNotices, useMarkAllRead, useMarkRead } from './notice.queries.ts'
import { NOTICES } from './notice.samples.ts'
import { NoticeRow } from './notice-row.tsx'

/** As many as one call returns, so that those about money are among them. */
const PAGE = 100

/** All notices: those about money first, then the newest. A notice that appears here counts as read. */
export default function NoticeSheet({ onClose }: { onClose: () => void }) {
  const { signedIn } = useAccount()
  return (
    <Sheet title={m.notice_title()} onClose={onClose}>
      {signedIn ? (
        <NoticeList onClose={onClose} />
      ) : (
        <EmptyState
          icon="bell"
          title={m.notice_signed_out()}
          text={m.notice_signed_out_text()}
          action={
            <Button icon="wallet" onClick={() => void requestSignIn()}>
              {m.notice_sign_in()}
            </Button>
          }
        />
      )}
    </Sheet>
  )
}

function NoticeList({ onClose }: { onClose: () => void }) {
  const notices = useListCall('notices', { limit: PAGE })
  const { data } = notices
  const fresh = useReading(data)
  if (!data)
    return notices.isError ? (
      <ErrorState error={notices.error} onRetry={notices.refetch} />
    ) : (
      <Pending>
        <Rows groups={groupNotices(NOTICES.slice(0, 2), () => false).rest} fresh={new Set()} onFollow={onClose} />
      </Pending>
    )
  if (data.length === 0) return <EmptyState icon="bell" title={m.notice_none()} text={m.notice_none_text()} />
  return (
    <>
      {notices.isError && (
        <span>
          <Badge tone="warning">{m.ui_stale()}</Badge>
        </span>
      )}
      <MarkAll />
      <Grouped notices={data} fresh={fresh} onFollow={onClose} />
      <ListEnd {...notices} />
    </>
  )
}

/** Only while there are unread notices beyond those in the list, which opening it marks. */
function MarkAll() {
  const unread = useLatestNotices().data?.unread ?? 0
  const { mutate: markAll, isPending } = useMarkAllRead()
  if (unread === 0) return null
  return (
    <Button look="quiet" size="small" icon="check" busy={isPending} onClick={() => markAll()}>
      {m.notice_mark_all()}
    </Button>
  )
}

function Grouped({ notices, ...rows }: { notices: readonly Notice[] } & Omit<RowsProps, 'groups'>) {
  const { money, rest } = groupNotices(notices, ({ id, read }) => !read || rows.fresh.has(id))
  if (money.length === 0) return <Rows groups={rest} {...rows} />
  return (
    <>
      <Titled title={m.notice_money()}>
        <Rows groups={money} {...rows} />
      </Titled>
      {rest.length > 0 && (
        <Titled title={m.notice_rest()}>
          <Rows groups={rest} {...rows} />
        </Titled>
      )}
    </>
  )
}

function Titled({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h3 className="text-secondary text-muted">{title}</h3>
      {children}
    </section>
  )
}

interface RowsProps {
  readonly groups: readonly NoticeGroup[]
  readonly fresh: ReadonlySet<string>
  readonly onFollow: () => void
}

function Rows({ groups, fresh, onFollow }: RowsProps) {
  return (
    <ul className="flex flex-col divide-y divide-line">
      {groups.map((group) => (
        <Group key={group.newest.id} group={group} fresh={fresh} onFollow={onFollow} />
      ))}
    </ul>
  )
}

/** The newest notice of a group; a press shows the others. */
function Group({ group, fresh, onFollow }: { group: NoticeGroup } & Omit<RowsProps, 'groups'>) {
  const { newest, others } = group
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      {[newest, ...(isOpen ? others : [])].map((notice) => (
        <li key={notice.id} className="flex py-1">
          <NoticeRow
            notice={notice}
            mark={
              isReplaced(notice, group) ? (
                <Badge tone="plain">{m.notice_earlier_mark()}</Badge>
              ) : (
                fresh.has(notice.id) && <Badge tone="pending">{m.notice_new_mark()}</Badge>
              )
            }
            onFollow={onFollow}
          />
        </li>
      ))}
      {others.length > 0 && !isOpen && (
        <li>
          <button type="button" className="min-h-11 text-secondary text-accent" onClick={() => setOpen(true)}>
            {m.notice_similar({ count: String(others.length) })}
          </button>
        </li>
      )}
    </>
  )
}

/**
 * Marks notices as read once they are in the list.
 *
 * @returns the ids of those that were unread: they stay marked as new until the sheet closes.
 */
function useReading(notices: readonly Notice[] | undefined): ReadonlySet<string> {
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set())
  const { mutate: markRead } = useMarkRead()
  useEffect(() => {
    const unread = notices?.filter(({ id, read }) => !read && !fresh.has(id)).map(({ id }) => id) ?? []
    if (unread.length === 0) return
    setFresh(new Set([...fresh, ...unread]))
    markRead(unread)
  }, [notices, fresh, markRead])
  return fresh
}
