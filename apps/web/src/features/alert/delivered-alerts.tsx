import { useEffect, useState } from 'react'
import { Badge } from '../../components/badge.tsx'
import { Card } from '../../components/card.tsx'
import { ErrorState } from '../../components/error-state.tsx'
import { ListEnd } from '../../components/list-end.tsx'
import { ListRow } from '../../components/list-row.tsx'
import { m } from '../../generated/paraglide/messages.js'
import { formatDateTime } from '../../i18n/format.ts'
import { type Notice, useDelivered, useMarkRead, useNotices } from './alert.queries.ts'
import { noticeText, seenText } from './alert-text.ts'

/** What was delivered, newest first. Seeing it here is reading it. */
export function DeliveredAlerts() {
  const delivered = useDelivered()
  const unread = useNotices().data?.unread ?? 0
  const { mutate: markRead } = useMarkRead()
  /** Those that were new when they came into sight stay marked for as long as the sheet is open. */
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set())
  const items = delivered.data
  useEffect(() => {
    const unreadIds = items?.filter((notice) => !notice.read).map((notice) => notice.alert_id) ?? []
    if (unreadIds.length > 0) setFresh((before) => new Set([...before, ...unreadIds]))
  }, [items])
  const isShown = items !== undefined
  useEffect(() => {
    if (isShown && unread > 0) markRead(undefined)
  }, [isShown, unread, markRead])
  if (delivered.isError && !items)
    return (
      <Card title={m.alert_delivered()}>
        <ErrorState error={delivered.error} onRetry={delivered.refetch} />
      </Card>
    )
  if (!items || items.length === 0) return null
  return (
    <Card title={m.alert_delivered()}>
      <ul className="-mb-2 flex flex-col divide-y divide-line">
        {items.map((notice) => (
          <DeliveredRow key={notice.alert_id} notice={notice} isFresh={fresh.has(notice.alert_id)} />
        ))}
      </ul>
      <ListEnd {...delivered} />
    </Card>
  )
}

function DeliveredRow({ notice, isFresh }: { notice: Notice; isFresh: boolean }) {
  return (
    <li>
      <ListRow
        title={<span className="figures whitespace-normal">{noticeText(notice)}</span>}
        detail={m.alert_seen({ price: seenText(notice), time: formatDateTime(notice.delivered_at) })}
        value={isFresh && <Badge tone="accent">{m.alert_new_mark()}</Badge>}
      />
    </li>
  )
}
