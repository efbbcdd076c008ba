import { Sheet } from '@clearwell/ui/components/sheet.tsx'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { Link } from '@tanstack/react-router'
import { m } from '../../generated/messages.ts'
import { type ActivityView, MORE_VIEWS, searchOf } from './activity-view-list.ts'

/** The complete records as views of the activity, each with what it lists. */
export default function ActivityViewsSheet({
  shown,
  find,
  onClose,
}: {
  shown: ActivityView
  find: string | undefined
  onClose: () => void
}) {
  return (
    <Sheet title={m.history_activity_more_title()} onClose={onClose}>
      <ul className="flex flex-col divide-y divide-line">
        {MORE_VIEWS.map((each) => (
          <li key={each.view}>
            <Link
              to={each.to}
              search={searchOf(each, find)}
              replace
              activeOptions={{ exact: true }}
              resetScroll={false}
              aria-current={each.view === shown ? 'page' : undefined}
              onClick={onClose}
              className="flex min-h-16 items-center gap-3 py-2 hover:text-accent"
            >
              <Icon name={each.icon} className="shrink-0 text-muted" />
              <span className="flex min-w-0 flex-1 flex-col">
                <span>{each.label()}</span>
                <span className="text-secondary text-muted">{each.text()}</span>
              </span>
              {each.view === shown && <Icon name="check" className="shrink-0 text-accent" />}
            </Link>
          </li>
        ))}
      </ul>
    </Sheet>
  )
}
