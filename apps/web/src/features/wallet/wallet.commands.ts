import { formatAmount } from '@clearwell/ui/i18n/format.ts'
import type { WordsOf } from '../../account/lost-command/command-words.ts'
import { m } from '../../generated/messages.ts'
import { transferOutRefusalText } from './confirm-transfer-out.tsx'

const amountText = ({ amount, asset }: { amount: string; asset: string }) =>
  `${formatAmount(amount, { decimals: 18 })} ${asset}`

/** The words of a transfer out, apart from its screen. */
export default {
  sell: {
    asked: ({ payload }) => m.wallet_asked_out({ amount: amountText(payload) }),
    done: ({ amount, asset }) => m.wallet_out_locked_done({ amount: amountText({ amount, asset }) }),
    refused: (error, { payload }) => transferOutRefusalText(error, payload.asset),
    link: ({ order_id: order }) => ({
      to: '/{-$locale}/wallet/sendTransaction',
      search: { order, way: 'out' },
      label: m.wallet_out_continue(),
    }),
  },
} satisfies WordsOf<'sell'>
