import type { AssetId } from '@clearwell/money/asset'
import { type ComponentType, createElement } from 'react'

/**
 * Places on screens where other features may show themselves, with the props that the screen gives them. A feature fills one
 * in its manifest, without an edit of the screen. In contrast to a part, a slot may have no filler or several.
 */
export interface Slots {
  /** Between the quote and the orders of the swap screen: other ways to swap the chosen pair. */
  moreWaysToSwap: {
    readonly symbol: string
    readonly sell: AssetId
    /** The amount to sell as typed or quoted, as plain decimal text; `undefined` while there is none. */
    readonly amount: string | undefined
  }
  /** Above the activity: swaps that will be made later. */
  swapsToCome: object
}

type SlotName = keyof Slots

/** How a feature fills slots: the default export of a file for each. */
export type SlotLoaders = {
  readonly [Name in SlotName]?: () => Promise<{ readonly default: ComponentType<Slots[Name]> }>
}

let loaders: readonly SlotLoaders[] | undefined
const loaded: { [Name in SlotName]?: readonly ComponentType<Slots[Name]>[] } = {}

/** Called once, with the slots that each feature fills, in the order of the features. */
export function provideSlots(all: readonly SlotLoaders[]): void {
  loaders = all
}

/** Loads all that fills a slot, beside the screen that has it. */
export async function loadSlot(name: SlotName): Promise<void> {
  if (!loaders) throw new Error('the slots of the features are not provided')
  const fillers = await Promise.all(loaders.flatMap((each) => each[name]?.() ?? []))
  Object.assign(loaded, { [name]: fillers.map((filler) => filler.default) })
}

/**
 * Shows all that fills a slot. The manifest of the screen loads it with the screen.
 *
 * @example load: () => together(import('./activity-screen.tsx'), loadSlot('swapsToCome'))
 */
export function Slot<Name extends SlotName>({ name, ...props }: { readonly name: Name } & Slots[Name]) {
  const fillers = loaded[name] as readonly ComponentType<object>[] | undefined
  if (!fillers) throw new Error(`the manifest of the screen does not load the slot ${name}`)
  return fillers.map((filler, index) => createElement(filler, { key: index, ...props }))
}
