import { cx } from '@clearwell/ui/browser/cx.ts'
import { Link } from '@tanstack/react-router'
import { m } from '../../generated/messages.ts'
import type { ActivityPart } from '../../manifest/words.ts'

/** A view of the activity: one of its parts, or one of the complete records. */
export type ActivityView = 'all' | ActivityPart | 'chain' | 'in' | 'out' | 'log' | 'operator'

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
  {
    view: 'operator',
    label: m.history_activity_operator,
    to: ACTIVITY,
    search: { show: 'operator' },
    keepsFind: false,
  },
] as const

/** Leads to every view of the activity. A view takes the place of the one before: Back leaves the activity. */
export default function ActivityViews({ shown, find }: { shown: ActivityView; find?: string | undefined }) {
  return (
    <nav aria-label={m.history_activity_filter()}>
      {/* A grid, not a row that scrolls: every view is in sight on the smallest phone. */}
      <ul className="grid grid-cols-4 gap-1 max-magnified:flex max-magnified:flex-wrap">
        {VIEWS.map(({ view, label, to, search, keepsFind }) => (
          <li key={view} className="max-magnified:grow">
            <Link
              to={to}
              search={find && keepsFind ? { ...search, find } : search}
              replace
              activeOptions={{ exact: true }}
              resetScroll={false}
              aria-current={view === shown ? 'page' : undefined}
              className={cx(
                'flex min-h-11 items-center justify-center rounded-chip text-center max-magnified:px-2 text-label whitespace-nowrap',
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
