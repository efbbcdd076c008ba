import { HIDDEN_TEXT, useHiddenAmounts } from '@clearwell/ui/browser/hidden-amounts.ts'
import { AmountText } from '@clearwell/ui/components/amount-text.tsx'
import { lazySheet } from '@clearwell/ui/components/lazy-part.tsx'
import { formatDate, formatTime } from '@clearwell/ui/i18n/format-date.ts'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { type ReactNode, useState } from 'react'
import { m } from '../../generated/messages.ts'
import type { ActivityItem } from './activity-items.ts'
import { kindName, shownAs } from './entry-names.ts'

const ActivitySheet = lazySheet(() => import('./activity-sheet.tsx'))

/** Items of the activity by day, newest first. A press opens one with its receipt. */
export function ActivityList({ items, byDay = true }: { items: readonly ActivityItem[]; byDay?: boolean }) {
  const [open, setOpen] = useState<ActivityItem>()
  const sheet = open && <ActivitySheet item={open} onClose={() => setOpen(undefined)} />
  if (!byDay)
    return (
      <>
        <Rows items={items} onOpen={setOpen} withDay />
        {sheet}
      </>
    )
  return (
    <div className="flex flex-col gap-6">
      {[...Map.groupBy(items, ({ time }) => dayName(time))].map(([day, ofDay]) => (
        <section key={day} aria-label={day}>
          <h2 className="figures text-secondary text-muted">{day}</h2>
          <Rows items={ofDay} onOpen={setOpen} />
        </section>
      ))}
      {sheet}
    </div>
  )
}

function Rows({
  items,
  onOpen,
  withDay = false,
}: {
  items: readonly ActivityItem[]
  onOpen: (item: ActivityItem) => void
  withDay?: boolean
}) {
  return (
    <ul className="flex flex-col divide-y divide-line">
      {items.map((item) => (
        <li key={item.id}>
          <ActivityRow item={item} withDay={withDay} onOpen={() => onOpen(item)} />
        </li>
      ))}
    </ul>
  )
}

function ActivityRow({ item, withDay, onOpen }: { item: ActivityItem; withDay: boolean; onOpen: () => void }) {
  const { kind, time, moved, pending } = item
  const [first, second, ...more] = moved
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      onClick={onOpen}
      className="flex min-h-16 w-full items-center gap-3 py-2 text-start"
    >
      <span className="flex size-9 shrink-0 items-center justify-center rounded-full bg-input text-muted light:bg-line">
        <Icon name={shownAs(kind)?.icon ?? 'circle'} />
      </span>
      <span className="flex min-w-0 flex-1 flex-col">
        <span className="text-pretty">{kindName(kind)}</span>
        <span className="figures text-secondary text-muted">
          {/* A narrow row breaks between day and time, not within a Chinese date. */}
          {withDay && <span className="whitespace-nowrap">{dayName(time)}</span>} {formatTime(time).slice(0, 5)}
        </span>
        {pending && <Confirmations {...pending} />}
      </span>
      <span className="figures flex shrink-0 flex-col items-end text-end">
        <Moved part={second ?? first} />
        {second && (
          <span className="text-secondary text-muted">
            <Moved part={first} />
          </span>
        )}
        {more.length > 0 && (
          <span className="text-secondary text-muted">{m.history_activity_more_assets({ n: more.length })}</span>
        )}
      </span>
    </button>
  )
}

function Moved({ part }: { part: ActivityItem['moved'][number] | undefined }): ReactNode {
  const { hidden } = useHiddenAmounts()
  if (!part) return null
  return hidden ? HIDDEN_TEXT : <AmountText amount={part.amount} asset={part.asset} signed raisesOut />
}

/** How far a pending item is, as a bar and in words. */
function Confirmations({ n, m: required }: { n: number; m: number }) {
  return (
    <>
      <span className="text-secondary">{m.history_chain_pending({ n, m: required })}</span>
      <svg aria-hidden="true" viewBox="0 0 100 2" preserveAspectRatio="none" className="mt-1 h-1 w-full rounded-full">
        <rect width="100" height="2" className="fill-line" />
        <rect width={(100 * Math.min(n, required)) / Math.max(required, 1)} height="2" className="fill-accent" />
      </svg>
    </>
  )
}

/** The day in the user's time zone; the last two by name. */
function dayName(time: string): string {
  const day = formatDate(time)
  const now = Date.now()
  if (day === formatDate(new Date(now).toISOString())) return m.history_activity_today()
  if (day === formatDate(new Date(now - 86_400_000).toISOString())) return m.history_activity_yesterday()
  return day
}
