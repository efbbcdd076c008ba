import type { AssetId } from '@clearwell/money/asset'
import { AmountText } from '@clearwell/ui/components/amount-text.tsx'
import type { WordsOf } from '../../account/lost-command/command-words.ts'
import { m } from '../../generated/messages.ts'
import { loanFacts } from './loan-facts.tsx'
import { shownPledge } from './shown-income.ts'
import type { Loan } from './stake.queries.ts'
import { refusedPledgeText, refusedText } from './stake-refusal.ts'
import { amountWords, ltvWords } from './stake-words.ts'

declare module '../../api/command-facts.ts' {
  interface CommandFacts {
    readonly addCollateral: { readonly asset: AssetId }
    readonly removeCollateral: { readonly asset: AssetId }
    readonly repay: { readonly asset: AssetId }
  }
}

const toPledges = () => ({ to: '/{-$locale}/stake', label: m.stake_to_overview() }) as const
const toLoans = () => ({ to: '/{-$locale}/stake/lend/orders', label: m.stake_to_orders() }) as const
const changedText = ({ ltv }: Loan) => m.stake_collateral_changed({ ltv: ltvWords(ltv) })

/** The words of commands about pledges and loans, apart from their screens. */
export default {
  pledge: {
    asked: ({ payload: { asset, amount } }) => m.stake_asked_pledge({ amount: amountWords(amount, asset) }),
    done: m.stake_pledged_done,
    refused: (error, { payload }) => refusedPledgeText(error, payload.asset),
    figures: ({ position }, { payload: { asset } }) => [
      {
        label: m.stake_total_pledged(),
        value: <AmountText amount={shownPledge(position.total_pledged)} asset={asset} />,
      },
    ],
    link: toPledges,
  },
  unpledge: {
    asked: ({ payload: { asset, amount } }) =>
      amount === 'all'
        ? m.stake_asked_unpledge_all({ coin: asset })
        : m.stake_asked_unpledge({ amount: amountWords(amount, asset) }),
    done: m.stake_withdrawn_done,
    refused: (error, { payload }) => refusedPledgeText(error, payload.asset),
    figures: ({ position }, { payload: { asset } }) => [
      {
        label: m.stake_total_pledged(),
        value: <AmountText amount={shownPledge(position.total_pledged)} asset={asset} />,
      },
    ],
    link: toPledges,
  },
  lend: {
    asked: ({ payload: { borrow_amount, borrow_asset, collateral_amount, collateral_asset } }) =>
      m.stake_asked_lend({
        amount: amountWords(borrow_amount, borrow_asset),
        collateral: amountWords(collateral_amount, collateral_asset),
      }),
    done: m.stake_borrowed_done,
    refused: (error, { payload }) => refusedText(error, payload.borrow_asset),
    figures: loanFacts,
    link: toLoans,
  },
  addCollateral: {
    asked: ({ payload: { amount }, facts: { asset } }) =>
      m.stake_asked_add_collateral({ amount: amountWords(amount, asset) }),
    done: changedText,
    refused: (error, { facts }) => refusedText(error, facts.asset),
    figures: loanFacts,
    link: toLoans,
  },
  removeCollateral: {
    asked: ({ payload: { amount }, facts: { asset } }) =>
      m.stake_asked_remove_collateral({ amount: amountWords(amount, asset) }),
    done: changedText,
    refused: (error, { facts }) => refusedText(error, facts.asset),
    figures: loanFacts,
    link: toLoans,
  },
  repay: {
    asked: ({ payload: { amount }, facts: { asset } }) =>
      amount === 'all'
        ? m.stake_asked_repay_all({ coin: asset })
        : m.stake_asked_repay({ amount: amountWords(amount, asset) }),
    done: ({ status, collateral_amount, collateral_asset }) =>
      status === 1
        ? m.stake_repaid_all_text({ collateral: amountWords(collateral_amount, collateral_asset) })
        : m.stake_repaid_text(),
    refused: (error, { facts }) => refusedText(error, facts.asset),
    figures: loanFacts,
    link: toLoans,
  },
} satisfies WordsOf<'pledge' | 'unpledge' | 'lend' | 'addCollateral' | 'removeCollateral' | 'repay'>
