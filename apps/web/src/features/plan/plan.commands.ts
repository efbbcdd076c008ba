import type { AssetId } from '@clearwell/money/asset'
import type { Asked, WordsOf } from '../../account/lost-command/command-words.ts'
import { m } from '../../generated/messages.ts'
import { refusedText } from './plan-refusal.ts'
import { amountWords, type Plan, sidesOf, tradeText } from './plan-words.ts'

declare module '../../api/command-facts.ts' {
  interface CommandFacts {
    readonly createPlan: { readonly sold: AssetId; readonly bought: AssetId }
    readonly pausePlan: PlanFacts
    readonly resumePlan: PlanFacts
    readonly cancelPlan: PlanFacts
  }
}

/** The trade of a plan. */
interface PlanFacts {
  readonly symbol: string
  readonly inverse: 0 | 1
  readonly amount: string
}

const link = ({ plan_id }: Plan) =>
  ({ to: '/{-$locale}/swap/plans', search: { plan: plan_id }, label: m.plan_title() }) as const

const refusedChange = (error: Error, { facts }: Pick<Asked<'pausePlan'>, 'facts'>) =>
  refusedText(error, sidesOf(facts).sold)

/** The words of the commands on planned swaps, apart from their screens. */
export default {
  createPlan: {
    asked: ({ payload: { kind, amount, inverse }, facts: { sold, bought } }) => {
      const words = { amount: amountWords(amount, sold), asset: bought }
      const isBuying = String(inverse) === '1'
      if (kind === 'limit') return isBuying ? m.plan_asked_limit_buy(words) : m.plan_asked_limit_sell(words)
      return isBuying ? m.plan_asked_schedule_buy(words) : m.plan_asked_schedule_sell(words)
    },
    done: (plan) => m.plan_done({ trade: tradeText(plan) }),
    refused: (error, { facts: { sold } }) => refusedText(error, sold),
    link,
  },
  pausePlan: {
    asked: ({ facts }) => m.plan_asked_pause({ trade: tradeText(facts) }),
    done: (plan) => m.plan_done_pause({ trade: tradeText(plan) }),
    refused: refusedChange,
    link,
  },
  resumePlan: {
    asked: ({ facts }) => m.plan_asked_resume({ trade: tradeText(facts) }),
    done: (plan) => m.plan_done_resume({ trade: tradeText(plan) }),
    refused: refusedChange,
    link,
  },
  cancelPlan: {
    asked: ({ facts }) => m.plan_asked_cancel({ trade: tradeText(facts) }),
    done: (plan) => m.plan_done_cancel({ trade: tradeText(plan) }),
    refused: refusedChange,
    link,
  },
} satisfies WordsOf<'createPlan' | 'pausePlan' | 'resumePlan' | 'cancelPlan'>
