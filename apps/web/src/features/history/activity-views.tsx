import { cx } from '@clearwell/ui/browser/cx.ts'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { m } from '../../generated/messages.ts'
import type { ActivityPart } from './activity-parts.ts'

/** A view of the activity: one of its parts, or one of the complete records. */
export type ActivityView = 'all' | ActivityPart | 'chain' | 'in' | 'out' | 'log'

const ACTIVITY = '/{-$locale}/wallet/activity'

/** `keepsFind`: the view can be searched. */
const VIEWS = [
  { view: 'all', label: m.history_activity_all, to: ACTIVITY, search: {}, keepsFind: true },
  {
    view: 'transfers',
    label: m.history_activity_transfers,
    to: ACTIVITY,
    search: { show: 'transfers' },
    keepsFind: true,
  },
  { view: 'swaps', label: m.history_activity_swaps, to: ACTIVITY, search: { show: 'swaps' }, keepsFind: true },
  { view: 'loans', label: m.history_activity_loans, to: ACTIVITY, search: { show: 'loans' }, keepsFind: true },
  { view: 'pledges', label: m.history_activity_pledges, to: ACTIVITY, search: { show: 'pledges' }, keepsFind: true },
  { view: 'rewards', label: m.history_activity_rewards, to: ACTIVITY, search: { show: 'rewards' }, keepsFind: true },
  { view: 'chain', label: m.history_activity_chain, to: '/{-$locale}/transaction', search: {}, keepsFind: false },
  { view: 'in', label: m.history_activity_in, to: '/{-$locale}/wallet/buyOrder', search: {}, keepsFind: false },
  { view: 'out', label: m.history_activity_out, to: '/{-$locale}/wallet/sellOrder', search: {}, keepsFind: false },
  { view: 'log', label: m.title_wallet_logs, to: '/{-$locale}/wallet/logs', search: {}, keepsFind: true },
] as const

/** Leads to every view of the activity. A view takes the place of the one before: Back leaves the activity. */
export default function ActivityViews({ shown, find }: { shown: ActivityView; find?: string | undefined }) {
  const current = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    const link = current.current
    const row = link?.closest('ul')
    // By hand: `scrollIntoView` would scroll the page too.
    if (link && row) row.scrollLeft = link.offsetLeft - (row.clientWidth - link.clientWidth) / 2
  }, [])
  return (
    <nav aria-label={m.history_activity_filter()} className="-mx-4">
      <ul className="relative flex gap-2 overflow-x-auto px-4 py-1">
        {VIEWS.map(({ view, label, to, search, keepsFind }) => (
          <li key={view} className="shrink-0">
            <Link
              to={to}
              search={find && keepsFind ? { ...search, find } : search}
              replace
              activeOptions={{ exact: true }}
              resetScroll={false}
              ref={view === shown ? current : undefined}
              aria-current={view === shown ? 'page' : undefined}
              className={cx(
                'flex min-h-11 items-center rounded-full px-4 text-secondary',
                view === shown
                  ? 'bg-line font-semibold text-text light:bg-surface'
                  : 'bg-input text-muted hover:text-text light:bg-line',
              )}
            >
              {label()}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
