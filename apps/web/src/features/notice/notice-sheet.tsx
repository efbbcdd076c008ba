import { Badge } from '@clearwell/ui/components/badge.tsx'
import { Button } from '@clearwell/ui/components/button.tsx'
import { EmptyState } from '@clearwell/ui/components/empty-state.tsx'
import { ErrorState } from '@clearwell/ui/components/error-state.tsx'
import { ListEnd } from '@clearwell/ui/components/list-end.tsx'
import { Pending } from '@clearwell/ui/components/pending.tsx'
import { Sheet } from '@clearwell/ui/components/sheet.tsx'
import { useEffect, useState } from 'react'
import { useAccount } from '../../account/use-account.ts'
import { requestSignIn } from '../../api/session-store.ts'
import { useListCall } from '../../api/use-list-call.ts'
import { m } from '../../generated/messages.ts'
import { type Notice, useMarkRead } from './notice.queries.ts'
import { NOTICES } from './notice.samples.ts'
import { NoticeRow } from './notice-row.tsx'

/** All notices, newest first. A notice that appears here counts as read. */
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
  const notices = useListCall('notices', {})
  const { data } = notices
  const fresh = useReading(data)
  if (!data)
    return notices.isError ? (
      <ErrorState error={notices.error} onRetry={notices.refetch} />
    ) : (
      <Pending>
        <Rows notices={NOTICES} fresh={new Set()} onFollow={onClose} />
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
      <Rows notices={data} fresh={fresh} onFollow={onClose} />
      <ListEnd {...notices} />
    </>
  )
}

function Rows({
  notices,
  fresh,
  onFollow,
}: {
  notices: readonly Notice[]
  fresh: ReadonlySet<string>
  onFollow: () => void
}) {
  return (
    <ul className="flex flex-col divide-y divide-line">
      {notices.map((notice) => (
        <li key={notice.id} className="flex py-1">
          <NoticeRow
            notice={notice}
            mark={fresh.has(notice.id) && <Badge tone="pending">{m.notice_new_mark()}</Badge>}
            onFollow={onFollow}
          />
        </li>
      ))}
    </ul>
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
