import type { AssetId } from '@clearwell/money/asset'
import { formatAmount } from '@clearwell/ui/i18n/format.ts'
import type { WordsOf } from '../../account/lost-command/command-words.ts'
import { m } from '../../generated/messages.ts'

declare module '../../api/command-facts.ts' {
  interface CommandFacts {
    readonly activeByBalance: { readonly price: string; readonly asset: AssetId }
  }
}

/** The words of an activation by balance, apart from its sheet. */
export default {
  activeByBalance: {
    asked: ({ facts: { price, asset } }) =>
      m.activation_asked({ price: `${formatAmount(price, { decimals: 18 })} ${asset}` }),
    done: m.activation_done,
    link: () => ({ to: '/{-$locale}/swap/exchange', label: m.nav_swap() }),
  },
} satisfies WordsOf<'activeByBalance'>
