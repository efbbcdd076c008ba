import type { SharedPart } from '@clearwell/api/config.routes'
import type { WholeConfig } from '../api/config.ts'

const DAY_MS = 86_400_000

type Upgrade = WholeConfig['upgrades'][number]
type Change = WholeConfig['announced'][number]

/** The news that the banner shows. Only news of the future can be dismissed. */
export type News =
  | { readonly kind: 'degraded'; readonly part: SharedPart }
  | { readonly kind: 'upgrade'; readonly id: string; readonly upgrade: Upgrade }
  | { readonly kind: 'change'; readonly id: string; readonly change: Change }

type Source = Pick<WholeConfig, 'time' | 'degraded'> & Partial<Pick<WholeConfig, 'announced' | 'upgrades'>>

/**
 * Chooses one of the news: a part that does not work, then an upgrade of the next 24 hours, then the next change of a rule, then a later
 * upgrade. A later one that was dismissed is shown once more in its last 24 hours.
 *
 * @param source the configuration; a server of the version before announces nothing.
 * @param dismissed the ids of news that the user has dismissed.
 */
export function chooseNews(
  { time, degraded, announced = [], upgrades = [] }: Source,
  dismissed: readonly string[],
): News | undefined {
  const [part] = degraded
  if (part !== undefined) return { kind: 'degraded', part }
  const now = Date.parse(time)
  const planned = upgrades.filter(({ ends_at: until }) => Date.parse(until) > now)
  const isSoon = ({ starts_at: from }: Upgrade) => Date.parse(from) - now <= DAY_MS
  const soon = planned.find((each) => isSoon(each) && !dismissed.includes(each.id))
  if (soon) return { kind: 'upgrade', id: soon.id, upgrade: soon }
  const change = announced.find(({ id, starts_at: at }) => Date.parse(at) > now && !dismissed.includes(id))
  if (change) return { kind: 'change', id: change.id, change }
  const later = planned.find((each) => !isSoon(each) && !dismissed.includes(aheadOf(each)))
  return later && { kind: 'upgrade', id: aheadOf(later), upgrade: later }
}

function aheadOf({ id }: Upgrade): string {
  return `${id}-ahead`
}
