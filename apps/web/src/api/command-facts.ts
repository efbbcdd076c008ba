import type { AssetId } from '@clearwell/money/asset'
import type { CommandName } from './client.ts'

/** Facts that the words of a command need beside its payload, also on a later visit. Amounts are decimal text. */
export interface CommandFacts {
  readonly activeByBalance: { readonly price: string; readonly asset: AssetId }
  readonly addCollateral: { readonly asset: AssetId }
  readonly approveUpgrade: { readonly name: string; readonly star: number }
  readonly collectRt: { readonly amount: string }
  readonly cancelPlan: PlanFacts
  readonly createPlan: { readonly sold: AssetId; readonly bought: AssetId }
  readonly doSwap: {
    readonly sold: AssetId
    readonly bought: AssetId
    /** The quote that was confirmed, in base units. */
    readonly quotedIn: string
    readonly quotedOut: string
  }
  readonly liquidate: { readonly lending: AssetId; readonly collateral: AssetId; readonly paid: string }
  readonly pausePlan: PlanFacts
  readonly removeCollateral: { readonly asset: AssetId }
  readonly repay: { readonly asset: AssetId }
  readonly resumePlan: PlanFacts
  readonly takeBackRt: { readonly amount: string }
}

/** The trade of a plan. */
interface PlanFacts {
  readonly symbol: string
  readonly inverse: 0 | 1
  readonly amount: string
}

export type FactsOf<Name extends CommandName> = Name extends keyof CommandFacts ? CommandFacts[Name] : undefined
