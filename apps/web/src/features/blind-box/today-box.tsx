import { Badge } from '@clearwell/ui/components/badge.tsx'
import { Card } from '@clearwell/ui/components/card.tsx'
import { Ripples } from '@clearwell/ui/components/ripples.tsx'
import { useJustEnded } from '@clearwell/ui/components/success.tsx'
import { withWholeParts } from '@clearwell/ui/components/whole-parts.tsx'
import { formatDateTime } from '@clearwell/ui/i18n/format-date.ts'
import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { m } from '../../generated/messages.ts'
import type { BoxRules, BoxStatus } from './blind-box.queries.ts'
import { BoxArt } from './box-art.tsx'
import { hasPower, powerText } from './box-text.ts'
import { Countdown } from './countdown.tsx'

interface TodayBoxProps {
  readonly rules: BoxRules
  readonly status: BoxStatus | undefined
  /** True while the button that clicks the box is there and busy. */
  readonly isClicking: boolean
}

/** The hero: today's box in its state, and the time until the day ends. */
export function TodayBox({ rules, status, isClicking }: TodayBoxProps) {
  const isSealed = status?.clicked === true
  // Not while it is unknown: a box that was clicked earlier lies sealed from the start.
  const isNew = useJustEnded(status?.clicked !== false)
  const heading = useFocusOnce(isNew && !isClicking)
  const { title, text } = textsOf(rules, status)
  return (
    <Card className="flex flex-col items-center gap-1 text-center text-balance">
      <Ripples spreads={isSealed}>
        <BoxArt state={isSealed ? 'sealed' : 'waiting'} seals={isNew} />
      </Ripples>
      <p ref={heading} tabIndex={isNew ? -1 : undefined} className="text-section outline-none">
        {title}
      </p>
      <p className="text-muted">{text}</p>
      {status && status.reason !== 'not_open' && <TodayPower status={status} days={rules.formula.fee_days} />}
      <p className="mt-3 flex flex-col items-center">
        <span className="text-label text-muted">{m.box_ends_in()}</span>
        <Countdown until={rules.ends_at} className="text-amount" />
      </p>
    </Card>
  )
}

/**
 * Gives the new state of the box the focus, which would go to the page with the button that was pressed. The state can be known
 * before the response to the click, until which the button stays.
 */
function useFocusOnce(isWanted: boolean): RefObject<HTMLParagraphElement | null> {
  const heading = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    if (isWanted && document.activeElement === document.body) heading.current?.focus({ preventScroll: true })
  }, [isWanted])
  return heading
}

function textsOf(rules: BoxRules, status: BoxStatus | undefined): { title: string; text: ReactNode } {
  if (status?.clicked) return { title: m.box_sealed(), text: m.box_sealed_text() }
  const opensAt = status?.reason === 'not_open' ? status.opens_at : rules.clicks.opens_at
  if (opensAt)
    return { title: m.box_not_open(), text: withWholeParts(m.box_opens_at({ time: formatDateTime(opensAt) })) }
  return { title: m.box_waiting(), text: m.box_waiting_text() }
}

/** The factors that are known before the draw. */
function TodayPower({ status, days }: { status: BoxStatus; days: number }) {
  if (status.reason === 'operator_account') return <p className="mt-2 text-muted">{m.box_operator_account()}</p>
  const units = status.clicked ? status.my_power : status.click_power
  if (!hasPower(units)) return <p className="mt-2 text-muted">{m.box_no_power({ n: days })}</p>
  const factors = {
    fees: powerText(status.fees_30_days),
    level: powerText(status.level_factor),
    streak: powerText(status.streak_factor),
  }
  return (
    <p className="mt-2 flex max-w-full flex-col items-center gap-1">
      <Badge tone={status.clicked ? 'done' : 'plain'}>{m.box_power_value({ power: powerText(units) })}</Badge>
      {/* Not in the badge, which keeps to one line. */}
      <span className="figures text-secondary text-muted">{m.box_power_parts(factors)}</span>
    </p>
  )
}
