import { type EntryDraft, write } from '@clearwell/ledger/command'
import type { Draft } from '@clearwell/ledger/draft'
import { formatAmount } from '@clearwell/money/amount'
import { minUnits } from '@clearwell/money/min-max'
import * as z from 'zod/mini'
import { type UnknownPayoutRow, unknownWithdrawals } from '../../platform/custody/unknown-payouts.ts'
import { INSURANCE, TREASURY, userAccount, VAULT } from '../../platform/ledger/accounts.ts'
import type { NoticeDraft } from '../../platform/notices/notice.store.ts'
import { decideNotices } from '../../platform/notices/unsent-notices.ts'
import { defineOperatorAction } from '../../platform/operator/operator-action.ts'

const payout = z.strictObject({
  /** The row of the payout. */
  id: z.string(),
  account: z.string(),
  asset: z.enum(['BNB', 'USDT', 'ETH']),
  /** True if the account has signed in to this ledger, and so can be notified. */
  isUser: z.boolean(),
})
const payload = z.strictObject({
  /** The operator's address, in lower case: its own payouts left the treasury. */
  operator: z.string(),
  payouts: z.array(payout).check(z.minLength(1)),
})

/**
 * Books payouts that the ledger does not know, such as those after the moment to which a backup was restored. The account
 * that was paid pays with its available balance. What is missing comes from `insurance`, then from `treasury`, in a separate
 * entry, because no account can go below zero.
 */
export const settlePayouts = defineOperatorAction({
  kind: 'settle_payouts',
  role: 'treasurer',
  payload,
  preload: ({ operator, payouts }) =>
    payouts.flatMap(({ id, account, asset }) => [
      { table: unknownWithdrawals, id },
      ...[payerOf(account, operator), INSURANCE, TREASURY, VAULT].map((each) => ({ account: each, asset })),
    ]),
  decide(draft, context, { operator, payouts }) {
    const texts: string[] = []
    const notices: NoticeDraft[] = []
    for (const { id, isUser } of payouts) {
      const row = draft.row(unknownWithdrawals, id)
      if (!row || row.settled_at) return notDone(`The payout ${id} is settled already, or unknown.`)
      const payer = payerOf(row.account, operator)
      const shares = shareOut(draft, row, payer)
      if ('missing' in shares) return notDone(shares.missing)
      const { own, insurance, treasury } = shares
      const cover = [
        [INSURANCE, insurance],
        [TREASURY, treasury],
      ] as const
      const paid = { paid_by_account: own, paid_by_insurance: insurance, paid_by_treasury: treasury }
      draft.add({
        entries: [...entryOf('payout_settlement', row, [[payer, own]]), ...entryOf('payout_shortfall', row, cover)],
        rows: [write(unknownWithdrawals, { ...row, settled_at: context.now, ...paid })],
      })
      if (isUser) notices.push(noticeOf(row, own))
      texts.push(textOf(row, shares))
    }
    draft.add({ rows: decideNotices(notices, context) })
    return { isDone: true, text: texts.join('\n') }
  },
})

/** Base units that each account pays for a payout. */
interface Shares {
  readonly own: bigint
  readonly insurance: bigint
  readonly treasury: bigint
}

function shareOut(draft: Draft, row: UnknownPayoutRow, payer: string): Shares | { readonly missing: string } {
  const asset = row.asset
  const own = minUnits(draft.balance(payer, asset), row.units)
  const insurance = minUnits(draft.balance(INSURANCE, asset), row.units - own)
  const treasury = row.units - own - insurance
  const spare = draft.balance(TREASURY, asset) - (payer === TREASURY ? own : 0n)
  if (treasury <= spare) return { own, insurance, treasury }
  const missing = formatAmount({ asset, units: treasury - spare })
  return { missing: `${missing} ${asset} for ${row.tx_hash} are missing in insurance and treasury.` }
}

/** The entry in which accounts pay the vault; none if they pay nothing. */
function entryOf(
  kind: string,
  { asset, tx_hash: reference }: UnknownPayoutRow,
  shares: readonly (readonly [account: string, units: bigint])[],
): EntryDraft[] {
  const paid = shares.filter(([, units]) => units > 0n)
  const total = paid.reduce((sum, [, units]) => sum + units, 0n)
  const postings = [
    ...paid.map(([account, units]) => ({ account, asset, units: -units })),
    { account: VAULT, asset, units: total },
  ]
  return total === 0n ? [] : [{ kind, reference, postings }]
}

function payerOf(account: string, operator: string): string {
  return account === operator ? TREASURY : userAccount(account, 'available')
}

function notDone(text: string) {
  return { isDone: false, text }
}

function noticeOf({ id, account, asset, units, tx_hash: txHash }: UnknownPayoutRow, own: bigint): NoticeDraft {
  const text = (of: bigint) => formatAmount({ asset, units: of })
  const params = { asset, amount: text(units), taken: text(own), covered: text(units - own), tx_hash: txHash }
  return { userId: account, kind: 'payout_settled', key: id, params, link: '/wallet/logs' }
}

function textOf(
  { account, asset, units, tx_hash: txHash }: UnknownPayoutRow,
  { own, insurance, treasury }: Shares,
): string {
  const amount = (of: bigint) => `${formatAmount({ asset, units: of })} ${asset}`
  const parts = [
    ...(own > 0n ? [`${amount(own)} from the account`] : []),
    ...(insurance > 0n ? [`${amount(insurance)} from insurance`] : []),
    ...(treasury > 0n ? [`${amount(treasury)} from treasury`] : []),
  ]
  return `The payout of ${amount(units)} to ${account} in ${txHash} is booked: ${parts.join(', ')}.`
}
