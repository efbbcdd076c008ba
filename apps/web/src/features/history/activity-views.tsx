import { cx } from '@clearwell/ui/browser/cx.ts'
import { lazySheet } from '@clearwell/ui/components/lazy-part.tsx'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { Link, useRouterState } from '@tanstack/react-router'
import { useLayoutEffect, useRef, useState } from 'react'
import { m } from '../../generated/messages.ts'
import { type ActivityView, MORE_VIEWS, PART_VIEWS, searchOf } from './activity-view-list.ts'

const ActivityViewsSheet = lazySheet(() => import('./activity-views-sheet.tsx'))

/**
 * Leads to every view of the activity: the parts in one row that scrolls sideways, the complete records behind a button that
 * stays beside it. A view takes the place of the one before: Back leaves the activity.
 */
export default function ActivityViews({ shown, find }: { shown: ActivityView; find?: string | undefined }) {
  const [isOpen, setOpen] = useState(false)
  const row = useShownInRow()
  const record = MORE_VIEWS.find(({ view }) => view === shown)
  return (
    <nav aria-label={m.history_activity_filter()} className="flex gap-1 max-magnified:flex-wrap">
      <ul
        ref={row}
        className="relative flex min-w-0 flex-1 gap-1 overflow-x-auto overscroll-x-contain pe-4 [mask-image:linear-gradient(to_right,#000_calc(100%-1rem),transparent)] [scrollbar-width:none] max-magnified:basis-full max-magnified:flex-wrap max-magnified:pe-0 max-magnified:[mask-image:none]"
      >
        {PART_VIEWS.map((each) => (
          <li key={each.view} className="grow shrink-0">
            <Link
              to={each.to}
              search={searchOf(each, find)}
              state={{ setsFocus: true }}
              replace
              activeOptions={{ exact: true }}
              resetScroll={false}
              aria-current={each.view === shown ? 'page' : undefined}
              className={chip(each.view === shown)}
            >
              {each.label()}
            </Link>
          </li>
        ))}
      </ul>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-current={record ? 'page' : undefined}
        onClick={() => setOpen(true)}
        className={cx(chip(record !== undefined), 'shrink-0 gap-1')}
      >
        {m.history_activity_more()}
        {/* The title of the screen has the name of the record. */}
        {record && <span className="sr-only">: {record.label()}</span>}
        <Icon name="chevron-down" className="size-4" />
      </button>
      {isOpen && <ActivityViewsSheet shown={shown} find={find} onClose={() => setOpen(false)} />}
    </nav>
  )
}

function chip(isShown: boolean): string {
  return cx(
    'flex min-h-11 items-center justify-center rounded-chip px-3 text-label whitespace-nowrap columns:px-2',
    isShown ? 'bg-line font-semibold text-text light:bg-surface' : 'bg-input text-muted hover:text-text light:bg-line',
  )
}

/**
 * Scrolls the row to the shown part. A part that was chosen in the row has the focus: another screen may show its view, with
 * a row of that screen.
 */
function useShownInRow() {
  const row = useRef<HTMLUListElement>(null)
  const isChosen = useRouterState({ select: ({ location }) => location.state.setsFocus === true })
  const focusesFirst = useRef(isChosen)
  useLayoutEffect(() => {
    const list = row.current
    const link = list?.querySelector<HTMLElement>('[aria-current]')
    if (list && link) list.scrollLeft = link.offsetLeft - (list.clientWidth - link.offsetWidth) / 2
    if (focusesFirst.current) link?.focus({ preventScroll: true })
  }, [])
  return row
}
