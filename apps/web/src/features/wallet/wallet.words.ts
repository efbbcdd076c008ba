import { formatAmount } from '@clearwell/ui/i18n/format.ts'
import { m } from '../../generated/messages.ts'
import type { FeatureWords } from '../../manifest/words.ts'

export default {
  entries: {
    deposit: {
      part: 'transfers',
      name: m.wallet_entry_deposit,
      activity: { icon: 'arrow-down-to-line', fileName: 'transfer-in' },
    },
    operator_deposit: { part: 'transfers', name: m.wallet_entry_operator_deposit, activity: 'deposit' },
    // The amount of a lock leaves later: its order is shown as pending until then.
    withdrawal_lock: { name: m.wallet_entry_withdrawal_lock },
    withdrawal: {
      part: 'transfers',
      name: m.wallet_entry_withdrawal,
      activity: { icon: 'arrow-up-from-line', fileName: 'transfer-out' },
    },
    withdrawal_release: {
      part: 'transfers',
      name: m.wallet_entry_withdrawal_release,
      activity: { icon: 'arrow-down-to-line', isBetweenAccounts: true, fileName: 'returned' },
    },
    deposit_reversal: {
      part: 'transfers',
      name: m.wallet_entry_deposit_reversal,
      activity: { icon: 'triangle-alert', fileName: 'reversal' },
    },
    payout_settlement: { part: 'transfers', name: m.wallet_entry_payout_settlement, activity: 'withdrawal' },
    withdrawal_reversal: { part: 'transfers', name: m.wallet_entry_withdrawal_reversal, activity: 'deposit_reversal' },
  },
  notices: {
    payout_settled: ({ asset, amount, taken, covered }) => ({
      icon: 'arrow-up-from-line',
      title: m.wallet_notice_payout_settled({ amount: `${formatAmount(amount)} ${asset}` }),
      detail: settledText(`${formatAmount(taken)} ${asset}`, `${formatAmount(covered)} ${asset}`, { taken, covered }),
    }),
  },
} as const satisfies FeatureWords

/** Says who paid for a payout that the ledger had lost. */
function settledText(taken: string, covered: string, of: { readonly taken: string; readonly covered: string }): string {
  if (of.covered === '0') return m.wallet_notice_payout_settled_taken({ taken })
  if (of.taken === '0') return m.wallet_notice_payout_settled_ours({ covered })
  return m.wallet_notice_payout_settled_covered({ taken, covered })
}
