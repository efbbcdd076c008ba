import type { AssetId } from '@clearwell/money/asset'
import { type ComponentType, createElement } from 'react'

/**
 * Parts that one feature shows on its screen and another feature provides, with their props. Features never import each
 * other: they meet here. A part without a provider in `features.ts` does not compile.
 */
export interface Parts {
  activationBanner: object
  activityViews: { readonly shown: 'in' | 'out' }
  assetActivity: { readonly asset: AssetId }
  balanceCheck: object
  myBoxes: object
  owedAdvance: object
  pendingTransfers: object
  priceAlerts: {
    readonly symbol: string
    readonly price: string
    /** The price that was pressed. */
    readonly at: string | undefined
    readonly decimals: number
    readonly onClose: () => void
  }
  records: object
  /** `note`: more about the amounts, for an exit that is open. */
  takenWithExit: { readonly note?: string }
  walletValue: object
}

type PartName = keyof Parts

/** How each part is loaded: the default export of its file. */
export type PartLoaders = {
  readonly [Name in PartName]: () => Promise<{ readonly default: ComponentType<Parts[Name]> }>
}

let loaders: PartLoaders | undefined
const loaded: { [Name in PartName]?: ComponentType<Parts[Name]> } = {}

/** Called once, with the parts of all features. */
export function provideParts(all: PartLoaders): void {
  loaders = all
}

/** Loads parts of other features, beside the screen that shows them. */
export async function loadParts(...names: readonly PartName[]): Promise<void> {
  await Promise.all(names.map((name) => load(name)))
}

async function load<Name extends PartName>(name: Name): Promise<void> {
  if (!loaders) throw new Error('the parts of the features are not provided')
  const part = await loaders[name]()
  Object.assign(loaded, { [name]: part.default })
}

/**
 * A part of another feature. The manifest of the screen loads it with the screen.
 *
 * @example load: () => together(import('./income-screen.tsx'), loadParts('myBoxes'))
 */
export function Part<Name extends PartName>({ of: name, ...props }: { readonly of: Name } & Parts[Name]) {
  const Loaded = loaded[name] as ComponentType<object> | undefined
  if (!Loaded) throw new Error(`the manifest of the screen does not load the part ${name}`)
  return createElement(Loaded, props)
}
