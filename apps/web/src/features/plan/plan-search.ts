import { type AssetId, isAssetId } from '@clearwell/money/asset'
import { parseUnits } from '@clearwell/money/decimal'

/** The swap that a link asks to plan. It fills the form and plans nothing. */
export interface PlanDraft {
  readonly pair?: string
  readonly sell?: AssetId
  readonly amount?: string
}

/** `?pair=ETHUSDT` selects a pair, `&sell=USDT` the asset to sell, and `&amount=10` fills in how much of it. */
export function readPlanDraft({ pair, sell, amount }: Record<string, unknown>): PlanDraft {
  return {
    ...(typeof pair === 'string' ? { pair } : {}),
    ...(isAssetId(sell) ? { sell } : {}),
    // A number would already have been through floating point.
    ...(typeof amount === 'string' && parseUnits(amount, 18) !== undefined ? { amount } : {}),
  }
}

/** The part of the plans that is shown, and the plan whose sheet is open. */
export interface ShownPlans {
  readonly show?: 'active' | 'paused'
  readonly plan?: string
}

/** `?show=paused` shows one part of the plans, `?plan=` opens one of them. */
export function readShownPlans({ show, plan }: Record<string, unknown>): ShownPlans {
  return {
    ...(show === 'active' || show === 'paused' ? { show } : {}),
    ...(typeof plan === 'string' ? { plan } : {}),
  }
}
