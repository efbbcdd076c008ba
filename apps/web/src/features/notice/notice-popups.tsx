import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { goLiveNow } from '../../api/go-live.ts'
import { Button } from '../../components/button.tsx'
import { IconButton } from '../../components/icon-button.tsx'
import { popupLayer } from '../../components/popup-layer.ts'
import { m } from '../../generated/paraglide/messages.js'
import { type Notice, useLatestNotices, useMarkRead } from './notice.queries.ts'
import { NoticeRow } from './notice-row.tsx'
import { noticeText } from './notice-text.ts'

/** This many appear together; a line below them counts the others. */
const SHOWN = 3
/** Each stays this long. The time stops while the pointer or the focus is on one, and while the page is hidden. */
const STAY_MS = 10_000
/** An older notice is no news: it waits at the bell and on home. */
const NEWS_MS = 86_400_000

/**
 * New notices, over everything but the tabs and the action of a screen. Closing one marks it as read; those that disappear
 * after a while stay unread at the bell. The region exists before it has content, so screen readers announce what comes.
 */
export default function NoticePopups() {
  const { data } = useLatestNotices()
  const { mutate: markRead } = useMarkRead()
  const [layer, setLayer] = useState<HTMLElement>()
  useEffect(() => setLayer(popupLayer()), [])
  useEffect(goLiveNow, [])
  const unread = data?.items.filter((notice) => !notice.read && isNews(notice)) ?? []
  const { staying, hold } = useStaying(unread)
  const shown = staying.slice(0, SHOWN)
  const hidden = unread.length - shown.length
  if (!layer) return null
  return createPortal(
    <div
      role="log"
      aria-label={m.notice_log()}
      onPointerEnter={() => hold('pointer', true)}
      onPointerLeave={() => hold('pointer', false)}
      onFocus={() => hold('focus', true)}
      onBlur={() => hold('focus', false)}
      className="column pointer-events-none fixed inset-x-0 above-foot z-66 flex flex-col gap-2 px-4"
    >
      {shown.map((notice) => (
        <NoticeCard key={notice.id} notice={notice} onClose={() => markRead([notice.id])} />
      ))}
      {shown.length > 0 && unread.length > 1 && (
        <div className="pointer-events-auto flex items-center gap-3 self-end rounded-control bg-surface">
          {hidden > 0 && <span className="ps-4 text-label text-muted">{m.notice_more({ count: String(hidden) })}</span>}
          <Button look="quiet" size="small" onClick={() => markRead(unread.map(({ id }) => id))}>
            {m.notice_close_all()}
          </Button>
        </div>
      )}
    </div>,
    layer,
  )
}

function isNews({ created_at }: Notice): boolean {
  return Date.now() - Date.parse(created_at) < NEWS_MS
}

/** The unread notices that have not disappeared yet. A new one restarts the time of the others. */
function useStaying(unread: readonly Notice[]) {
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set())
  const [held, setHeld] = useState({ pointer: false, focus: false, hidden: document.hidden })
  const hold = (by: keyof typeof held, is: boolean) => setHeld((now) => ({ ...now, [by]: is }))
  useEffect(() => {
    const look = () => setHeld((now) => ({ ...now, hidden: document.hidden }))
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])
  const staying = unread.filter(({ id }) => !gone.has(id))
  const ids = staying.map(({ id }) => id).join()
  const isHeld = ids === '' || held.pointer || held.focus || held.hidden
  useEffect(() => {
    if (isHeld) return
    const timer = setTimeout(() => setGone((now) => new Set([...now, ...ids.split(',')])), STAY_MS)
    return () => clearTimeout(timer)
  }, [isHeld, ids])
  return { staying, hold }
}

function NoticeCard({ notice, onClose }: { notice: Notice; onClose: () => void }) {
  return (
    <div className="pointer-events-auto flex items-center gap-3 rounded-card border border-accent/50 bg-surface py-1 ps-4 pe-1">
      <NoticeRow notice={notice} onFollow={onClose} />
      <IconButton icon="x" label={m.notice_close({ notice: noticeText(notice).title })} onClick={onClose} />
    </div>
  )
}
