import { cutDecimals } from '@clearwell/money/decimal'
import { AmountField } from '@clearwell/ui/components/amount-field.tsx'
import { Button } from '@clearwell/ui/components/button.tsx'
import { PercentSteps, percentText } from '@clearwell/ui/components/percent-steps.tsx'
import { SegmentedControl } from '@clearwell/ui/components/segmented-control.tsx'
import { showToast } from '@clearwell/ui/components/toast-store.ts'
import { formatPrice, PRICE_DECIMALS, reachedDecimals } from '@clearwell/ui/i18n/price-text.ts'
import { type FormEvent, useState } from 'react'
import { useCommand } from '../../api/use-command.ts'
import { m } from '../../generated/messages.ts'
import type { WatchedKind } from './alert.queries.ts'
import { type Direction, directionTo, entryBeyond, entryTurned, type PriceEntry, priceFault } from './alert-price.ts'
import { marketName, reachedText, refusalText } from './alert-text.ts'

const PERCENTS = [1, 5, 10]
const FIRST_PERCENT = 5

/**
 * Sets an alert. The price starts at the one that was pressed, or a little away from the one at opening; a price that was
 * typed or pressed never moves.
 */
export function AlertForm({
  symbol,
  kind,
  price: now,
  at,
  decimals,
}: {
  symbol: string
  /** Which price the alert compares with. */
  kind: WatchedKind
  price: string
  /** The price that was pressed. */
  at: string | undefined
  decimals: number
}) {
  const [direction, setDirection] = useState<Direction>(() => (at === undefined ? 'above' : directionTo(at, now)))
  const [entry, setEntry] = useState(() =>
    at === undefined ? entryBeyond(now, 'above', FIRST_PERCENT, decimals) : { text: cutDecimals(at, decimals) },
  )
  const typed = entry.text
  const [isAsked, setIsAsked] = useState(false)
  const set = useCommand('setAlert', { silent: true })
  const fault = priceFault(typed, direction, now)
  const nowText = () => {
    const price = formatPrice(now, decimals)
    return kind === 'pool' ? m.alert_now_pool({ price }) : m.alert_now({ price })
  }

  function change(next: PriceEntry, side = direction): void {
    setEntry(next)
    setDirection(side)
    setIsAsked(false)
    set.reset()
  }

  function submit(event: FormEvent): void {
    event.preventDefault()
    setIsAsked(true)
    if (fault || set.isPending) return
    const payload = { symbol, direction, price: typed.replace(/\.$/, '') }
    set.mutate(payload, { onSuccess: () => showToast(m.alert_set_done()) })
  }

  const error = !isAsked
    ? undefined
    : set.isError
      ? refusalText(set.error, direction)
      : set.isPending || set.isSuccess
        ? undefined
        : fault === 'empty'
          ? m.alert_enter_price()
          : fault === 'far'
            ? m.alert_too_far()
            : fault && reachedText(direction, formatPrice(now, Math.max(decimals, reachedDecimals(typed))))
  return (
    <form aria-label={m.alert_new({ symbol: marketName(symbol) })} onSubmit={submit} className="flex flex-col gap-3">
      <SegmentedControl
        label={m.alert_direction()}
        options={[
          { value: 'above', label: m.alert_above() },
          { value: 'below', label: m.alert_below() },
        ]}
        value={direction}
        onChange={(side: Direction) => change(entryTurned(entry, now, side, decimals), side)}
      />
      <AmountField
        label={`${marketName(symbol)} · ${m.alert_price()}`}
        value={typed}
        onChange={(text) => change({ text })}
        asset="USDT"
        decimals={PRICE_DECIMALS}
        error={error}
        {...(now === '' ? {} : { hint: nowText() })}
      />
      {now !== '' && (
        <PercentSteps
          steps={PERCENTS.map((percent) => {
            const text = percentText(direction === 'above' ? percent : -percent)
            return {
              text,
              label: m.alert_by({ percent: text }),
              isChosen: percent === entry.percent,
              onClick: () => change(entryBeyond(now, direction, percent, decimals)),
            }
          })}
        />
      )}
      <Button type="submit" busy={set.isPending}>
        {m.alert_set()}
      </Button>
    </form>
  )
}
