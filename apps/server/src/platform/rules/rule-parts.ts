import type { AssetId } from '@clearwell/money/asset'
import { formatUnits } from '@clearwell/money/decimal'
import type { OpeningWindow } from '@clearwell/rules/opening-hours'
import type { RulePart, Words } from './rule.ts'

/** A part in basis points, shown as a fraction. */
export function fractionPart<Value>(title: Words, bpsOf: (value: Value) => number): RulePart<Value> {
  return { title, unit: 'fraction', read: (value) => formatUnits(BigInt(bpsOf(value)), 4) }
}

/** A part that is an amount, as decimal text. */
export function amountPart<Value>(title: Words, asset: AssetId, amountOf: (value: Value) => string): RulePart<Value> {
  return { title, unit: asset, read: amountOf }
}

/** A text that is the same in every language, such as a count. */
export function plainPart<Value>(title: Words, textOf: (value: Value) => string): RulePart<Value> {
  return { title, unit: 'plain', read: textOf }
}

/** Opening times, as `09:30–17:00`, or `always`. */
export function openingPart<Value>(title: Words, windowOf: (value: Value) => OpeningWindow): RulePart<Value> {
  const text = (window: OpeningWindow) => (window === 'always' ? window : `${window.opens}–${window.closes}`)
  return { title, unit: 'opening', read: (value) => text(windowOf(value)) }
}
