import { m } from '../../generated/messages.ts'
import type { FeatureWords } from '../../manifest/words.ts'

export default {
  entries: {
    deposit: { name: m.wallet_entry_deposit, activity: { icon: 'arrow-down-to-line', fileName: 'transfer-in' } },
    operator_deposit: { name: m.wallet_entry_operator_deposit, activity: 'deposit' },
    // The amount of a lock leaves later: its order is shown as pending until then.
    withdrawal_lock: { name: m.wallet_entry_withdrawal_lock },
    withdrawal: { name: m.wallet_entry_withdrawal, activity: { icon: 'arrow-up-from-line', fileName: 'transfer-out' } },
    withdrawal_release: {
      name: m.wallet_entry_withdrawal_release,
      activity: { icon: 'arrow-down-to-line', isBetweenAccounts: true, fileName: 'returned' },
    },
    deposit_reversal: {
      name: m.wallet_entry_deposit_reversal,
      activity: { icon: 'triangle-alert', fileName: 'reversal' },
    },
    withdrawal_reversal: { name: m.wallet_entry_withdrawal_reversal, activity: 'deposit_reversal' },
  },
} as const satisfies FeatureWords
