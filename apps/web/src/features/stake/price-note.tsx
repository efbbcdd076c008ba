import type { PriceState } from '@clearwell/api/market.routes'
import { Warning } from '@clearwell/ui/components/stage-parts.tsx'
import { priceStateText, priceStateTitle } from './stake-words.ts'

/** Says why money has no price now, what waits for one, and what works without. Nothing for a fresh price. */
export function PriceNote({ state }: { state: PriceState | undefined }) {
  if (state === undefined || state === 'fresh') return null
  return <Warning title={priceStateTitle(state)} text={priceStateText(state)} />
}
