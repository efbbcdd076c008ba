import { formatAmount } from '@clearwell/money/amount'
import * as z from 'zod/mini'
import { INSURANCE, TREASURY } from '../ledger/accounts.ts'
import { freeTreasury } from '../ledger/treasury-debts.ts'
import { defineOperatorAction } from './operator-action.ts'

const account = z.enum([TREASURY, INSURANCE])

const payload = z.strictObject({
  from: account,
  to: account,
  asset: z.enum(['BNB', 'USDT', 'ETH', 'RT']),
  /** Base units. */
  units: z.string().check(z.regex(/^[1-9]\d*$/)),
})

/** Moves money between the operator's own accounts, such as from the treasury to the insurance fund. */
export const moveFunds = defineOperatorAction({
  kind: 'move_funds',
  payload,
  preload: ({ from, to, asset }) => [
    { account: from, asset },
    { account: to, asset },
  ],
  decide(draft, context, { from, to, asset, units: text }) {
    const units = BigInt(text)
    const held = from === TREASURY ? freeTreasury(draft, asset) : draft.balance(from, asset)
    if (held < units)
      return { isDone: false, text: `${from} has only ${formatAmount({ asset, units: held })} ${asset}.` }
    const postings = [
      { account: from, asset, units: -units },
      { account: to, asset, units },
    ]
    draft.add({ entries: [{ kind: 'operator_transfer', reference: context.id('transfer'), postings }] })
    return { isDone: true, text: `${formatAmount({ asset, units })} ${asset} moved from ${from} to ${to}.` }
  },
})
