import type { PriceState } from '@clearwell/api/market.routes'
import { Badge } from '@clearwell/ui/components/badge.tsx'
import { m } from '../generated/messages.ts'
import { priceStateWords } from './price-state-words.ts'

/** Marks a price that money uses only in part, or not at all; nothing for a fresh one. */
export function PriceStateBadge({ state }: { state: PriceState }) {
  const words = priceStateWords(state)
  return words && <Badge tone="warning">{words}</Badge>
}

/** The commands that wait because of the state, and those that still work. */
export function PriceStateText({ state }: { state: PriceState }) {
  if (state === 'fresh') return null
  return (
    <p className="text-warn">
      {state === 'apart' ? m.ui_price_apart_text() : m.ui_price_waits()} {m.ui_price_works()}
    </p>
  )
}
