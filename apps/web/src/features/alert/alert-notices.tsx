import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { useAccount } from '../../account/use-account.ts'
import { goLiveNow } from '../../api/go-live.ts'
import { Button } from '../../components/button.tsx'
import { IconButton } from '../../components/icon-button.tsx'
import { popupLayer } from '../../components/popup-layer.ts'
import { m } from '../../generated/paraglide/messages.js'
import { formatDateTime } from '../../i18n/format.ts'
import { currentLocale } from '../../i18n/locale.ts'
import { Icon } from '../../icons/icon.tsx'
import { type Notice, useMarkRead, useNotices } from './alert.queries.ts'
import { noticeText, seenText } from './alert-text.ts'
import { renewPush } from './push-device.ts'

/** So many stand on the screen at once; of the others it says how many there are. */
const SHOWN = 3

/** So long they stand; while one is pointed at, has the focus, or nobody sees the page, the time does not run. */
const STAY_MS = 10_000

/**
 * Delivered alerts that were not read yet, over everything else but the tabs and the action of a screen. One that is closed
 * is read; those that go by themselves are not, and wait at the bell. The region is there before anything is in it, so
 * that screen readers tell what comes.
 */
export default function AlertNotices() {
  const { data } = useNotices()
  const { mutate: markRead } = useMarkRead()
  const address = useAccount().user?.address
  const [layer, setLayer] = useState<HTMLElement>()
  useEffect(() => setLayer(popupLayer()), [])
  useEffect(goLiveNow, [])
  const locale = currentLocale()
  // The language is sent with it: whoever changes it is told in the new one.
  useEffect(() => {
    if (address !== undefined) void renewPush(address)
  }, [address, locale])
  const unread = data?.items.filter((notice) => !notice.read) ?? []
  const { standing, hold } = useStanding(unread)
  const shown = standing.slice(0, SHOWN)
  const hidden = (data?.unread ?? 0) - shown.length
  if (!layer) return null
  return createPortal(
    <div
      role="log"
      aria-label={m.alert_notices()}
      onPointerEnter={() => hold('pointer', true)}
      onPointerLeave={() => hold('pointer', false)}
      onFocus={() => hold('focus', true)}
      onBlur={() => hold('focus', false)}
      className="column pointer-events-none fixed inset-x-0 bottom-[calc(var(--foot)+0.5rem)] z-66 flex flex-col gap-2 px-4"
    >
      {shown.map((notice) => (
        <NoticeCard key={notice.alert_id} notice={notice} onClose={() => markRead(notice.alert_id)} />
      ))}
      {data && shown.length > 0 && data.unread > 1 && (
        <div className="pointer-events-auto flex items-center gap-3 self-end rounded-control bg-raised">
          {hidden > 0 && <span className="ps-4 text-label text-muted">{m.alert_more({ count: String(hidden) })}</span>}
          <Button look="quiet" onClick={() => markRead(undefined)}>
            {m.alert_close_all()}
          </Button>
        </div>
      )}
    </div>,
    layer,
  )
}

/** Those that have not gone by themselves yet. One that comes gives the others its own time. */
function useStanding(unread: readonly Notice[]) {
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set())
  const [held, setHeld] = useState({ pointer: false, focus: false, unseen: document.hidden })
  const hold = (by: keyof typeof held, is: boolean) => setHeld((now) => ({ ...now, [by]: is }))
  useEffect(() => {
    const look = () => setHeld((now) => ({ ...now, unseen: document.hidden }))
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])
  const standing = unread.filter(({ alert_id }) => !gone.has(alert_id))
  const ids = standing.map(({ alert_id }) => alert_id).join()
  const isHeld = ids === '' || held.pointer || held.focus || held.unseen
  useEffect(() => {
    if (isHeld) return
    const timer = setTimeout(() => setGone((now) => new Set([...now, ...ids.split(',')])), STAY_MS)
    return () => clearTimeout(timer)
  }, [isHeld, ids])
  return { standing, hold }
}

function NoticeCard({ notice, onClose }: { notice: Notice; onClose: () => void }) {
  const text = noticeText(notice)
  return (
    <div className="pointer-events-auto flex items-center gap-3 rounded-card border border-accent/50 bg-raised py-2 ps-4 pe-1">
      <Icon name="bell" className="shrink-0 text-accent" />
      <Link
        to="/{-$locale}/markets/$name"
        params={(now) => ({ ...now, name: notice.symbol })}
        className="flex min-h-11 min-w-0 flex-1 flex-col justify-center [overflow-wrap:anywhere]"
        onClick={onClose}
      >
        <span className="figures font-semibold text-balance">{text}</span>
        <span className="figures text-label text-muted">
          {m.alert_seen({ price: seenText(notice), time: formatDateTime(notice.delivered_at) })}
        </span>
      </Link>
      <IconButton icon="x" label={m.alert_close({ notice: text })} onClick={onClose} />
    </div>
  )
}
