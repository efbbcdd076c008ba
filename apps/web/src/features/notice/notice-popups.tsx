import { sheetIsOpen } from '@clearwell/ui/browser/sheet-history.ts'
import { useStore } from '@clearwell/ui/browser/store.ts'
import { IconButton } from '@clearwell/ui/components/icon-button.tsx'
import { popupLayer } from '@clearwell/ui/components/popup-layer.ts'
import { toastStore } from '@clearwell/ui/components/toast-store.ts'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { useLocation } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { goLiveNow } from '../../api/go-live.ts'
import { serverNowMs } from '../../api/server-clock.ts'
import { m } from '../../generated/messages.ts'
import { mayCover } from './may-cover.ts'
import { type Notice, useLatestNotices, useMarkRead } from './notice.queries.ts'
import { NoticeRow } from './notice-row.tsx'
import { noticeText } from './notice-text.ts'
import { useSwipeAway } from './use-swipe-away.ts'

/** A notice stays this long. The time stops while the pointer or the focus is on it, and while the page is hidden. */
const STAY_MS = 8_000
/** An older notice is no news: a device that was asleep or offline may receive it late. */
const NEWS_MS = 600_000

/**
 * The newest notice that arrived since the page was opened, above the action of a screen; a line in it counts the others.
 * Earlier ones wait at the bell and on home: the first sight of the own money is not covered. Closing a notice marks it as read; if it disappears after a while, it stays unread at the bell. The region exists before it has content, so screen
 * readers announce what comes.
 */
export default function NoticePopups({ onOpenAll }: { onOpenAll: () => void }) {
  const { data } = useLatestNotices()
  const path = useLocation({ select: ({ pathname }) => pathname })
  const { mutate: markRead } = useMarkRead()
  const [layer, setLayer] = useState<HTMLElement>()
  useEffect(() => setLayer(popupLayer()), [])
  useEffect(goLiveNow, [])
  const before = useIdsOf(data?.items)
  const isSheetOpen = useStore(sheetIsOpen)
  const isNew = (notice: Notice) => !notice.read && !before.has(notice.id) && isNews(notice)
  const unread = data?.items.filter((notice) => isNew(notice) && mayCover({ path, isSheetOpen }, notice)) ?? []
  const { staying, hold } = useStaying(unread)
  const newest = staying[0]
  const isAboveToast = useIsAboveToast(newest !== undefined)
  if (!layer) return null
  return createPortal(
    <div
      role="log"
      aria-label={m.notice_log()}
      onPointerEnter={() => hold('pointer', true)}
      onPointerLeave={() => hold('pointer', false)}
      onFocus={() => hold('focus', true)}
      onBlur={() => hold('focus', false)}
      data-above-toast={isAboveToast ? '' : undefined}
      className="column pointer-events-none fixed inset-x-0 over-list z-66 px-4"
    >
      {newest && (
        <NoticeCard
          key={newest.id}
          notice={newest}
          others={unread.length - 1}
          onClose={() => markRead([newest.id])}
          onOpenAll={onOpenAll}
        />
      )}
    </div>,
    layer,
  )
}

/** The ids of the first list that was read. */
function useIdsOf(items: readonly Notice[] | undefined): ReadonlySet<string> {
  const first = useRef<ReadonlySet<string>>(undefined)
  if (items) first.current ??= new Set(items.map(({ id }) => id))
  return first.current ?? new Set()
}

function isNews({ created_at }: Notice): boolean {
  // The clock of a device may be days behind, and every notice would be news to it.
  return (serverNowMs() ?? Date.now()) - Date.parse(created_at) < NEWS_MS
}

/** The unread notices that have not disappeared yet. A new one restarts the time of the others. */
function useStaying(unread: readonly Notice[]) {
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set())
  const [held, setHeld] = useState({ pointer: false, focus: false, hidden: document.hidden })
  // The timer may end between a pointer's entry and the render that stops it.
  const heldNow = useRef(held)
  const hold = (by: keyof typeof held, is: boolean) => {
    heldNow.current = { ...heldNow.current, [by]: is }
    setHeld(heldNow.current)
  }
  useEffect(() => {
    const look = () => {
      heldNow.current = { ...heldNow.current, hidden: document.hidden }
      setHeld(heldNow.current)
    }
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])
  const staying = unread.filter(({ id }) => !gone.has(id))
  const ids = staying.map(({ id }) => id).join()
  const isHeld = ids === '' || held.pointer || held.focus || held.hidden
  useEffect(() => {
    if (isHeld) return
    const timer = setTimeout(() => {
      if (!Object.values(heldNow.current).includes(true)) setGone((now) => new Set([...now, ...ids.split(',')]))
    }, STAY_MS)
    return () => clearTimeout(timer)
  }, [isHeld, ids])
  return { staying, hold }
}

/** A notice makes room for a toast, and keeps that place: it would come away from under the pointer, or under it. */
function useIsAboveToast(hasNotice: boolean): boolean {
  const hasToast = useStore(toastStore).length > 0
  const [isAbove, setAbove] = useState(false)
  const next = hasNotice && (isAbove || hasToast)
  if (next !== isAbove) setAbove(next)
  return next
}

function NoticeCard({
  notice,
  others,
  onClose,
  onOpenAll,
}: {
  notice: Notice
  /** The number of other unread notices. */
  others: number
  onClose: () => void
  onOpenAll: () => void
}) {
  const swipe = useSwipeAway(onClose)
  return (
    <div
      {...swipe}
      className="pointer-events-auto touch-none rounded-card border border-accent/50 bg-surface transition-opacity duration-press starting:opacity-0"
    >
      <div className="flex items-center gap-3 py-1 ps-4 pe-1">
        <NoticeRow notice={notice} onFollow={onClose} />
        <IconButton icon="x" label={m.notice_close({ notice: noticeText(notice).title })} onClick={onClose} />
      </div>
      {others > 0 && (
        <button
          type="button"
          aria-haspopup="dialog"
          onClick={onOpenAll}
          className="flex min-h-11 w-full items-center justify-between border-t border-line px-4 text-secondary text-accent"
        >
          {m.notice_more({ count: String(others) })}
          <Icon name="chevron-right" />
        </button>
      )}
    </div>
  )
}
