import { Stat } from '@clearwell/ui/components/stat.tsx'
import { formatAmount } from '@clearwell/ui/i18n/format.ts'
import { m } from '../../generated/messages.ts'
import type { BoxRules, BoxStatus } from './blind-box.queries.ts'
import { powerText } from './box-text.ts'

/** The four figures of the day. A visitor has no power and no days. */
export function BoxFigures({ rules, status }: { rules: BoxRules; status: BoxStatus | undefined }) {
  const today = status ?? rules
  return (
    <div className="-mb-4 grid grid-cols-2 gap-x-4">
      <Stat isAligned label={m.box_network_power()} value={powerText(today.network_power)} />
      {/* The card above shows the power that today's box would have; it counts from the click. */}
      <Stat
        isAligned
        label={m.box_my_power()}
        value={status?.clicked ? powerText(status.my_power) : '—'}
        detail={status && !status.clicked && m.box_power_not_yet()}
      />
      <Stat isAligned label={m.box_streak()} value={status ? formatAmount(String(status.streak)) : '—'} />
      <Stat isAligned label={m.box_contributors()} value={formatAmount(String(today.contributors))} />
    </div>
  )
}
