import { Link, useMatch } from '@tanstack/react-router'
import { Badge } from '../components/badge.tsx'
import { buttonClass } from '../components/button.tsx'
import { Card } from '../components/card.tsx'
import { ErrorState } from '../components/error-state.tsx'
import { Screen } from '../components/screen.tsx'
import { CardSkeleton, Loading, TextSkeleton } from '../components/skeleton-shapes.tsx'
import { m } from '../generated/paraglide/messages.js'
import { Icon, type IconName } from '../icons/icon.tsx'
import { usePayload } from './payload.ts'
import type { ScreenPath } from './screens.ts'

/** Every part is open now. A planned one has its title and icon here. */
const PARTS: Readonly<Partial<Record<ScreenPath, { title: () => string; icon: IconName }>>> = {}

/** The screen of a part that is not open yet. Under the part's title it says so, and what the part will do. */
export function NotOpenScreen() {
  const fullPath = useMatch({ strict: false, select: (match) => String(match.fullPath) })
  const path = fullPath.replace('/{-$locale}', '') as ScreenPath
  const payload = usePayload(path)
  const part = PARTS[path]
  if (!part) return null
  const { title, icon } = part
  return (
    <Screen title={title()}>
      <div className="flex flex-col items-center gap-4 pt-6 text-center">
        <span className="rounded-full bg-input p-6 text-muted">
          <Icon name={icon} className="size-8" />
        </span>
        <Badge>{m.not_open_text()}</Badge>
      </div>
      {payload.data ? (
        <>
          <p className="px-2 text-center text-balance">{payload.data.summary}</p>
          <Card title={m.not_open_points()}>
            <ul className="flex flex-col gap-3">
              {payload.data.points?.map((point) => (
                <li key={point} className="flex gap-3">
                  <span aria-hidden="true" className="mt-2 size-1 shrink-0 rounded-full bg-accent" />
                  <span className="min-w-0">{point}</span>
                </li>
              ))}
            </ul>
          </Card>
          {payload.data.section && (
            <Link to="/{-$locale}/white" search={{ section: payload.data.section }} className={buttonClass('quiet')}>
              <Icon name="file-text" />
              {m.not_open_rules()}
            </Link>
          )}
        </>
      ) : payload.isError ? (
        <ErrorState error={payload.error} onRetry={payload.refetch} />
      ) : (
        <Loading className="gap-4">
          <TextSkeleton />
          <CardSkeleton title>
            <TextSkeleton lines={6} />
          </CardSkeleton>
        </Loading>
      )}
      <p className="text-center text-label text-balance text-muted">{m.not_open_hint()}</p>
    </Screen>
  )
}
