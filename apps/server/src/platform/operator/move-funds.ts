import { transfer } from '@clearwell/ledger/transfer'
import { formatAmount } from '@clearwell/money/amount'
import * as z from 'zod/mini'
import { INSURANCE, TREASURY } from '../ledger/accounts.ts'
import { freeTreasury } from '../ledger/treasury-debts.ts'
import { defineOperatorAction } from './operator-action.ts'

const payload = z.strictObject({
  from: z.literal(TREASURY),
  to: z.literal(INSURANCE),
  asset: z.enum(['BNB', 'USDT', 'ETH', 'RT']),
  /** Base units. */
  units: z.string().check(z.regex(/^[1-9]\d*$/)),
})

/**
 * Moves money from the treasury to the insurance fund. There is no way back: activations and a part of each fee are in the fund, and an
 * operator who could take them out would pay nothing for accounts and trades of their own.
 */
export const moveFunds = defineOperatorAction({
  kind: 'move_funds',
  role: 'treasurer',
  payload,
  preload: ({ from, to, asset }) => [
    { account: from, asset },
    { account: to, asset },
  ],
  decide(draft, context, { from, to, asset, units: text }) {
    const units = BigInt(text)
    const held = freeTreasury(draft, asset)
    if (held < units)
      return { isDone: false, text: `${from} has only ${formatAmount({ asset, units: held })} ${asset}.` }
    const postings = transfer({ from, to, asset, units })
    draft.add({ entries: [{ kind: 'operator_transfer', reference: context.id('transfer'), postings }] })
    return { isDone: true, text: `${formatAmount({ asset, units })} ${asset} moved from ${from} to ${to}.` }
  },
})
