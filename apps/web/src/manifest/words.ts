import type { NoticeKind, NoticeParams } from '@clearwell/api/notice-kinds'
import type { EntryKind } from '@clearwell/api/parts'
import type { IconName } from '@clearwell/ui/icons/icon.tsx'

/**
 * The words of `<name>.words.ts`: how a feature's ledger entries and notices are named. They load with the history and
 * the notices, not with home.
 */
export interface Words {
  readonly entries: { readonly [Kind in EntryKind]: EntryWords }
  /** `time`: the moment that the notice speaks of, which may be earlier than when it was sent. */
  readonly notices: { readonly [Kind in NoticeKind]: (params: NoticeParams<Kind>, time: string) => NoticeText }
}

/** The parts of the activity that can be shown alone, in their order. */
export const ACTIVITY_PARTS = ['transfers', 'swaps', 'loans', 'pledges', 'rewards'] as const
export type ActivityPart = (typeof ACTIVITY_PARTS)[number]

/** The words of one feature, for the kinds that it writes and sends. */
export interface FeatureWords {
  readonly entries?: Partial<Words['entries']>
  readonly notices?: Partial<Words['notices']>
}

export interface EntryWords {
  readonly name: () => string
  /** The part of the activity that shows the entry alone; absent: only the whole does. */
  readonly part?: ActivityPart
  /** The names of the two sides of a trade, by the sign of the amount. */
  readonly sides?: { readonly sold: () => string; readonly bought: () => string }
  /** The name of its collateral, where it moves some: what leaves another account, and what comes into the collateral. */
  readonly collateral?: () => string
  /** How the activity shows the entry: as this, or like another kind. Without it, the activity leaves the entry out. */
  readonly activity?: ActivityWords | EntryKind
}

export interface ActivityWords {
  readonly icon: IconName
  /** Moves an amount between two of the user's accounts: it is shown once, as the available balance sees it. */
  readonly isBetweenAccounts?: true
  /** Names the picture of its receipt; the kind if absent. */
  readonly fileName?: string
}

export interface NoticeText {
  readonly icon: IconName
  readonly title: string
  readonly detail: string
}

let load: (() => Promise<Words>) | undefined
let loaded: Words | undefined

/** Called once, with the words of all features. */
export function provideWords(from: () => Promise<Words>): void {
  load = from
}

/** Loads the words of all features, beside the code that reads them. */
export async function loadWords(): Promise<void> {
  if (!load) throw new Error('the words of the features are not provided')
  loaded = await load()
}

/** The words of all features. The manifest of a screen that reads them loads them with it: see `together`. */
export function words(): Words {
  if (!loaded) throw new Error('the words of the features are not loaded')
  return loaded
}
