import { Badge } from '@clearwell/ui/components/badge.tsx'
import { FactList } from '@clearwell/ui/components/fact-list.tsx'
import { HashText } from '@clearwell/ui/components/hash-text.tsx'
import { Sheet } from '@clearwell/ui/components/sheet.tsx'
import { formatAmount, formatPercent } from '@clearwell/ui/i18n/format.ts'
import { formatDate, formatDateTime, formatDay } from '@clearwell/ui/i18n/format-date.ts'
import { m } from '../../generated/messages.ts'
import { AmountLines } from './amounts.tsx'
import type { Box } from './blind-box.queries.ts'
import { BoxArt } from './box-art.tsx'
import { outcomeText, powerText, statusText, statusTone } from './box-text.ts'
import { PoolEntries } from './pool-entries.tsx'
import { BoxVerification } from './verify/box-verification.tsx'

/** Everything about one box of the user: its draw, its reward, its times, and the verification of its draw. */
export default function BoxSheet({ box, onClose }: { box: Box; onClose: () => void }) {
  const isSealed = box.status === 2
  const isDrawn = box.draw !== null
  return (
    <Sheet title={formatDay(box.day)} onClose={onClose}>
      <div className="flex items-center gap-4">
        <BoxArt state={isSealed ? 'sealed' : 'open'} className="size-20" />
        <div className="flex min-w-0 flex-1 flex-col items-start gap-1">
          <Badge tone={statusTone(box.status)}>{statusText(box.status)}</Badge>
          {isDrawn && (
            <p className="figures flex flex-wrap items-baseline gap-x-3">
              <span className="text-amount">×{box.draw}</span>
              <span className="font-semibold">
                <AmountLines amounts={box.reward} />
              </span>
            </p>
          )}
          <p className="text-secondary text-muted">{outcomeText(box)}</p>
        </div>
      </div>
      <FactList facts={factsOf(box)} />
      {isOfAnotherDay(box) && <p className="text-secondary text-muted">{m.box_times_hong_kong()}</p>}
      {isDrawn && (
        <>
          <BoxVerification box={box} />
          <PoolEntries day={box.day} />
        </>
      )}
    </Sheet>
  )
}

/** True if the device's day at the click is not the day of the box, which is that of Hong Kong. */
export function isOfAnotherDay({ created_at, day }: Pick<Box, 'created_at' | 'day'>): boolean {
  return formatDate(created_at) !== formatDay(day)
}

function factsOf(box: Box) {
  const { fees, level_factor, streak_factor, draw, power, share, created_at, claimed_at, expires_at } = box
  const factors = [
    powerText(fees),
    powerText(level_factor),
    powerText(streak_factor),
    ...(draw === null ? [] : [String(draw)]),
  ]
  return [
    { label: m.box_power(), value: `${factors.join(' × ')} = ${powerText(power)}` },
    ...(share === null
      ? []
      : [{ label: m.box_share(), value: <span title={share}>{formatPercent(share, { decimals: 4 })}</span> }]),
    { label: m.box_streak(), value: formatAmount(String(box.streak + 1)) },
    { label: m.box_clicked_at(), value: formatDateTime(created_at) },
    ...(claimed_at ? [{ label: m.box_claimed_at(), value: formatDateTime(claimed_at) }] : []),
    ...(expires_at && box.status === 0 ? [{ label: m.box_expires_at(), value: formatDateTime(expires_at) }] : []),
    { label: m.box_id(), value: <HashText hash={box.box_id} copyLabel={m.box_copy_id()} /> },
  ]
}
