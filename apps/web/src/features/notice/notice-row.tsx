import { useHiddenAmounts } from '@clearwell/ui/browser/hidden-amounts.ts'
import { withWholeParts } from '@clearwell/ui/components/whole-parts.tsx'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Notice } from './notice.queries.ts'
import { noticeText } from './notice-text.ts'

/** Shows a notice. If it has a page, the whole row links to it. */
export function NoticeRow({
  notice,
  mark,
  onFollow,
}: {
  notice: Notice
  /** Beside the text. */
  mark?: ReactNode
  onFollow: () => void
}) {
  const { icon, title, detail } = noticeText(notice)
  const { hide } = useHiddenAmounts()
  // Prices are public.
  const shown = notice.kind === 'price_alert' ? (text: string) => text : hide
  const look = 'flex min-h-11 min-w-0 flex-1 items-center gap-3 py-1 text-start [overflow-wrap:anywhere]'
  const content = (
    <>
      <Icon name={icon} className={icon === 'triangle-alert' ? 'text-warn' : 'text-accent'} />
      <span className="flex min-w-0 flex-1 flex-col">
        <span className="figures font-semibold text-balance">{withWholeParts(shown(title))}</span>
        <span className="figures text-label text-muted">{withWholeParts(shown(detail))}</span>
      </span>
      {mark}
    </>
  )
  if (notice.link === null) return <div className={look}>{content}</div>
  return (
    <Link {...targetOf(notice.link)} className={look} onClick={onFollow}>
      {content}
    </Link>
  )
}

/** The screen that a notice leads to. The server's link is a path, perhaps with a query. */
export function targetOf(link: string): { to: '/{-$locale}'; search?: object } {
  const [path, query] = link.split('?')
  // The types know only the patterns of paths.
  const to = `/{-$locale}${path}` as '/{-$locale}'
  if (query === undefined) return { to }
  return {
    to,
    search: Object.fromEntries([...new URLSearchParams(query)].map(([key, value]) => [key, searchValue(value)])),
  }
}

/** As the router reads it from an address. An order number stays text, also one that has only digits. */
function searchValue(text: string): string | number {
  return /^-?\d{1,9}$/.test(text) ? Number(text) : text
}
