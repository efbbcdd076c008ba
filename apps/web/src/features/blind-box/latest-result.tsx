import { cx } from '@clearwell/ui/browser/cx.ts'
import { Badge } from '@clearwell/ui/components/badge.tsx'
import { usePending } from '@clearwell/ui/components/pending.tsx'
import { formatDay } from '@clearwell/ui/i18n/format-date.ts'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { useEffect, useState } from 'react'
import { m } from '../../generated/messages.ts'
import { AmountLines } from './amounts.tsx'
import type { Box } from './blind-box.queries.ts'
import { BoxArt } from './box-art.tsx'
import { outcomeText, statusText, statusTone } from './box-text.ts'
import { isResultSeen, markResultSeen } from './seen-result.ts'

/** The result of the user's newest box: it opens with a motion when this device shows it for the first time. */
export function LatestResult({ box, onOpen }: { box: Box; onOpen: () => void }) {
  const isSample = usePending()
  const [isNew] = useState(() => !isSample && !isResultSeen(box.box_id))
  useEffect(() => {
    if (!isSample) markResultSeen(box.box_id)
  }, [isSample, box.box_id])
  return (
    <button
      type="button"
      onClick={onOpen}
      className="flex w-full items-center gap-3 max-magnified:flex-wrap rounded-card border border-line p-4 text-start hover:bg-input"
    >
      <BoxArt state="open" opens={isNew} className="size-16" />
      <span className="flex min-w-0 flex-1 flex-col max-magnified:order-last max-magnified:basis-full">
        <span className="flex flex-wrap items-center gap-x-2 text-secondary text-muted">
          {m.box_result_of({ day: formatDay(box.day) })}
          <Badge tone={statusTone(box.status)}>{statusText(box.status)}</Badge>
        </span>
        <span className="flex flex-wrap items-baseline gap-x-3">
          <span className={cx('figures text-amount', isNew && 'roll')}>×{box.draw}</span>
          <span className="figures font-semibold">
            <AmountLines amounts={box.reward} />
          </span>
        </span>
        <span className="text-secondary text-muted">{outcomeText(box)}</span>
      </span>
      <Icon name="chevron-right" className="ms-auto text-muted" />
    </button>
  )
}
