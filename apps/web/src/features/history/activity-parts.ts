import type { EntryKind } from '@clearwell/api/parts'

/** The parts of the activity that can be shown alone, with the kinds of entry in each. */
const KINDS = {
  transfers: [
    'deposit',
    'operator_deposit',
    'deposit_reversal',
    'withdrawal',
    'withdrawal_release',
    'withdrawal_reversal',
    'payout_settlement',
    'activation',
  ],
  swaps: ['swap'],
  loans: ['loan', 'loan_repayment', 'collateral_added', 'collateral_returned', 'liquidation'],
  pledges: ['pledge', 'unpledge'],
  rewards: ['referral_share', 'box_reward', 'rt_collection'],
} as const satisfies Record<string, readonly EntryKind[]>

export type ActivityPart = keyof typeof KINDS

export function isActivityPart(value: unknown): value is ActivityPart {
  return typeof value === 'string' && Object.hasOwn(KINDS, value)
}

/** The kinds of a part; of the whole activity `undefined`. */
export function kindsOf(part: ActivityPart | undefined): readonly EntryKind[] | undefined {
  return part && KINDS[part]
}
