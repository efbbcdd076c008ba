import { Badge } from '@clearwell/ui/components/badge.tsx'
import { formatAmount } from '@clearwell/ui/i18n/format.ts'
import { formatDate } from '@clearwell/ui/i18n/format-date.ts'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { m } from '../../generated/messages.ts'
import type { Member } from './team.queries.ts'

/** A member in a row: short address, state, level, and the size of the member's own team. */
export function MemberFace({ member }: { member: Member }) {
  const { address, activated, depth, level, direct, total, joined_at: joined } = member
  return (
    <span className="flex min-w-0 flex-1 flex-col">
      <span className="flex min-w-0 flex-wrap items-center justify-between gap-x-2">
        <span className="flex min-w-0 items-baseline gap-2">
          <span className="truncate font-mono">{address}</span>
          {level > 0 && <span className="text-label font-semibold text-accent">{m.team_lv({ lv: level })}</span>}
        </span>
        {activated ? (
          <span className="flex items-center text-accent">
            <span className="sr-only">{m.team_activated()}</span>
            <Icon name="circle-check" className="size-4" />
          </span>
        ) : (
          <Badge>{m.team_inactive()}</Badge>
        )}
      </span>
      <span className="figures flex flex-wrap justify-between gap-x-2 text-secondary text-muted">
        <span>
          {direct > 0
            ? `${m.team_member_direct({ n: countText(direct) })} · ${m.team_member_whole({ n: countText(total) })}`
            : m.team_joined({ date: formatDate(joined) })}
        </span>
        {depth > 1 && <span>{m.team_depth({ n: countText(depth) })}</span>}
      </span>
    </span>
  )
}

/** A number of people, grouped. */
export function countText(count: number): string {
  return formatAmount(String(count), { decimals: 0 })
}
