import * as z from 'zod/mini'
import { asset, decimalText } from './fields.ts'
import { definePart } from './part.ts'
import { walletRoutes } from './wallet.routes.ts'

export const walletPart = definePart({
  routes: walletRoutes,
  entryKinds: [
    'deposit',
    'withdrawal_lock',
    'withdrawal',
    'withdrawal_release',
    'deposit_reversal',
    'withdrawal_reversal',
    'operator_deposit',
    'payout_settlement',
  ],
  notices: {
    /**
     * A payout that a restored ledger had lost was booked. `taken`: from the user's balance. `covered`: by the operator's
     * accounts.
     */
    payout_settled: z.object({
      asset,
      amount: decimalText,
      taken: decimalText,
      covered: decimalText,
      tx_hash: z.string(),
    }),
  },
})
