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
 * Chooses one of the news: a part that does not work, then an upgrade of the next 24 hours, then the next change of a rule.
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
  const upgrade = upgrades.find(
    ({ id, starts_at: from, ends_at: until }) =>
      Date.parse(from) - now <= DAY_MS && Date.parse(until) > now && !dismissed.includes(id),
  )
  if (upgrade) return { kind: 'upgrade', id: upgrade.id, upgrade }
  const change = announced.find(({ id, starts_at: at }) => Date.parse(at) > now && !dismissed.includes(id))
  return change && { kind: 'change', id: change.id, change }
}
