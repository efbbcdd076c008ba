import type { SharedPart } from '@clearwell/api/config.routes'
import type { WholeConfig } from '../api/config.ts'
import type { User } from '../api/session-store.ts'

const DAY_MS = 86_400_000

type Upgrade = WholeConfig['upgrades'][number]
type Change = WholeConfig['announced'][number]

/** The news that the banner shows. Only news of the future can be dismissed. */
export type News =
  | { readonly kind: 'degraded'; readonly part: SharedPart }
  | { readonly kind: 'upgrade'; readonly id: string; readonly upgrade: Upgrade }
  | { readonly kind: 'change'; readonly id: string; readonly change: Change }
  | { readonly kind: 'terms'; readonly id: string; readonly url: string }

type Source = Pick<WholeConfig, 'time' | 'degraded'> & Partial<Pick<WholeConfig, 'announced' | 'upgrades' | 'terms'>>

/** The user, where an activation has accepted terms of the operator or could have. */
type Accepting = Partial<Pick<User, 'activated' | 'terms'>>

/**
 * Chooses one of the news: a part that does not work, then an upgrade of the next 24 hours, then terms of the operator that an activated
 * user has not accepted, then the next change of a rule, then a later upgrade. A later one that was dismissed is shown once more in its last 24 hours.
 *
 * @param source the configuration; a server of the version before announces nothing.
 * @param dismissed the ids of news that the user has dismissed.
 * @param user who is signed in.
 */
export function chooseNews(
  { time, degraded, announced = [], upgrades = [], terms = null }: Source,
  dismissed: readonly string[],
  user: Accepting = {},
): News | undefined {
  const [part] = degraded
  if (part !== undefined) return { kind: 'degraded', part }
  const now = Date.parse(time)
  const planned = upgrades.filter(({ ends_at: until }) => Date.parse(until) > now)
  const isSoon = ({ starts_at: from }: Upgrade) => Date.parse(from) - now <= DAY_MS
  const soon = planned.find((each) => isSoon(each) && !dismissed.includes(each.id))
  if (soon) return { kind: 'upgrade', id: soon.id, upgrade: soon }
  const newTerms = terms && user.activated && user.terms?.version !== terms.version && `terms-${terms.version}`
  if (newTerms && !dismissed.includes(newTerms)) return { kind: 'terms', id: newTerms, url: terms.url }
  const change = announced.find(({ id, starts_at: at }) => Date.parse(at) > now && !dismissed.includes(id))
  if (change) return { kind: 'change', id: change.id, change }
  const later = planned.find((each) => !isSoon(each) && !dismissed.includes(aheadOf(each)))
  return later && { kind: 'upgrade', id: aheadOf(later), upgrade: later }
}

function aheadOf({ id }: Upgrade): string {
  return `${id}-ahead`
}
