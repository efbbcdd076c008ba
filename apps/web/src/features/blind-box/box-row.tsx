import { Badge } from '@clearwell/ui/components/badge.tsx'
import { ListRow } from '@clearwell/ui/components/list-row.tsx'
import { formatShortDay } from '@clearwell/ui/i18n/format-date.ts'
import { m } from '../../generated/messages.ts'
import { RewardValue } from './amounts.tsx'
import type { Box } from './blind-box.queries.ts'
import { BoxArt } from './box-art.tsx'
import { claimText, powerText, statusText, statusTone } from './box-text.ts'

/** One box of the user in a list; a press opens its sheet. */
export function BoxRow({ box, onOpen }: { box: Box; onOpen: () => void }) {
  const isSealed = box.draw === null
  return (
    <ListRow
      mark={<BoxArt state={isSealed ? 'sealed' : 'open'} className="size-9" />}
      title={
        <span className="flex flex-wrap items-center gap-x-2">
          {formatShortDay(box.day)}
          <Badge tone={statusTone(box.status)}>{statusText(box.status)}</Badge>
        </span>
      }
      detail={
        isSealed
          ? m.box_row_sealed({ power: powerText(box.power) })
          : [m.box_row_drawn({ draw: box.draw ?? 1, power: powerText(box.power) }), ...claimText(box.status)].join(
              ' · ',
            )
      }
      value={isSealed ? undefined : <RewardValue amounts={box.reward} />}
      onClick={onOpen}
    />
  )
}
