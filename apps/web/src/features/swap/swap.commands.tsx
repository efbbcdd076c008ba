import type { AssetId } from '@clearwell/money/asset'
import type { Asked, WordsOf } from '../../account/lost-command/command-words.ts'
import { m } from '../../generated/messages.ts'
import { exactly, exactUnits, paid, received } from './swap-figures.ts'
import { SwapReceipt } from './swap-order-sheet.tsx'
import { refusalText } from './swap-refusal.ts'

declare module '../../api/command-facts.ts' {
  interface CommandFacts {
    readonly doSwap: {
      readonly sold: AssetId
      readonly bought: AssetId
      /** The quote that was confirmed, in base units. */
      readonly quotedIn: string
      readonly quotedOut: string
    }
  }
}

/** The words of a swap, apart from its confirmation. Its result is the same receipt. */
export default {
  doSwap: {
    asked: askedText,
    done: ({ amount_out }, { facts: { bought } }) => received(exactUnits(amount_out, bought), bought),
    refused: refusalText,
    link: () => ({ to: '/{-$locale}/swap/exchange', label: m.nav_swap() }),
    Result: ({ payload, facts, response, onClose }) => (
      <SwapReceipt swap={{ ...facts, payload, exact: payload.exact ?? 'in' }} result={response} onClose={onClose} />
    ),
  },
} satisfies WordsOf<'doSwap'>

function askedText({ payload, facts: { sold, bought } }: Asked<'doSwap'>): string {
  const { exact = 'in', amount, min_amount_out = '0', max_amount_in = '0' } = payload
  return exact === 'in'
    ? m.swap_asked({
        sell: exactly(amount, sold),
        minimum: received(exactUnits(min_amount_out, bought), bought),
      })
    : m.swap_asked_out({ buy: exactly(amount, bought), maximum: paid(exactUnits(max_amount_in, sold), sold) })
}
