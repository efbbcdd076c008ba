import type { EntryDraft } from '@clearwell/ledger/command'
import type { Posting } from '@clearwell/ledger/entry-hash'
import { transfer } from '@clearwell/ledger/transfer'
import type { AssetId } from '@clearwell/money/asset'
import type { RevenueParts } from '@clearwell/rules/revenue-split'
import type { SwapQuote } from '@clearwell/rules/swap'
import { INSURANCE, poolAccount, REFERRAL, REWARDS, TREASURY, userAccount } from '../../platform/ledger/accounts.ts'

/**
 * The entries of a swap: the trader pays the pool, the pool pays the trader, and the split distributes the revenue part
 * of the fee. The referral part goes through `referral` to an activated inviter, else to `rewards`.
 */
export function swapEntries(swap: {
  orderId: string
  userId: string
  poolId: string
  sold: AssetId
  bought: AssetId
  quote: SwapQuote
  revenue: RevenueParts
  inviterId: string | undefined
}): EntryDraft[] {
  const { orderId, userId, poolId, sold, bought, quote, revenue, inviterId } = swap
  const trader = userAccount(userId, 'available')
  const pool = poolAccount(poolId)
  const rewards = inviterId === undefined ? revenue.rewards + revenue.referral : revenue.rewards
  const referral = inviterId === undefined ? 0n : revenue.referral
  const entries = [
    {
      kind: 'swap',
      reference: orderId,
      postings: withoutZeros([
        { account: trader, asset: sold, units: -quote.amountIn },
        { account: pool, asset: sold, units: quote.amountIn - quote.revenue },
        { account: REWARDS, asset: sold, units: rewards },
        { account: REFERRAL, asset: sold, units: referral },
        { account: INSURANCE, asset: sold, units: revenue.insurance },
        { account: TREASURY, asset: sold, units: revenue.treasury },
        ...transfer({ from: pool, to: trader, asset: bought, units: quote.amountOut }),
      ]),
    },
  ]
  if (inviterId !== undefined && referral > 0n) {
    entries.push({
      kind: 'referral_share',
      reference: orderId,
      postings: transfer({ from: REFERRAL, to: userAccount(inviterId, 'available'), asset: sold, units: referral }),
    })
  }
  return entries
}

function withoutZeros(postings: readonly Posting[]): Posting[] {
  return postings.filter((posting) => posting.units !== 0n)
}
