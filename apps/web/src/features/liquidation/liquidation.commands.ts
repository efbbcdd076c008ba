import type { AssetId } from '@clearwell/money/asset'
import { sentences } from '@clearwell/ui/i18n/sentences.ts'
import type { WordsOf } from '../../account/lost-command/command-words.ts'
import { m } from '../../generated/messages.ts'
import { amountText, explainRefusal, restText } from './liquidation-refusal.ts'

declare module '../../api/command-facts.ts' {
  interface CommandFacts {
    readonly liquidate: { readonly lending: AssetId; readonly collateral: AssetId; readonly paid: string }
  }
}

/** The words of a liquidation, apart from its sheet. */
export default {
  liquidate: {
    asked: ({ facts: { lending, paid } }) => m.liquidation_asked({ amount: amountText(paid, lending) }),
    done: (result, { facts: { lending, collateral } }) =>
      sentences(
        m.liquidation_done_received({ amount: amountText(result.received, collateral) }),
        m.liquidation_done_text({
          paid: amountText(result.paid, lending),
          profit: amountText(result.profit, lending),
        }),
        restText(result, lending),
      ),
    refused: (error, { payload, facts }) =>
      explainRefusal(error, {
        ...facts,
        maxDebt: payload.max_debt ?? facts.paid,
        minReceived: payload.min_received ?? '0',
      }).text,
    link: ({ liquidation_id: part }, { payload: { order_id: order } }) => ({
      to: '/{-$locale}/stake/receipt',
      search: { order, part },
      label: m.liquidation_see_receipt(),
    }),
  },
} satisfies WordsOf<'liquidate'>
