import type { planRoutes } from '@clearwell/api/plan.routes'
import type * as z from 'zod/mini'
import type { ResultLink } from '../../account/lost-command/command-words.ts'
import type { CommandFacts } from '../../api/command-facts.ts'
import { m } from '../../generated/messages.ts'
import { refusedText } from './plan-refusal.ts'
import { amountWords, type Plan, sidesOf, tradeText } from './plan-words.ts'

interface Created {
  readonly payload: z.input<typeof planRoutes.createPlan.payload>
  readonly facts: CommandFacts['createPlan']
}

interface Changed {
  readonly facts: CommandFacts['pausePlan']
}

const link = ({ plan_id }: Plan): ResultLink => ({
  to: '/{-$locale}/swap/plans',
  search: { plan: plan_id },
  label: m.plan_title(),
})

const refusedChange = (error: Error, { facts: { symbol, inverse } }: Changed) =>
  refusedText(error, sidesOf({ symbol, inverse }).sold)

/** The words of the commands on planned swaps, apart from their screens. */
export default {
  createPlan: {
    asked: ({ payload: { kind, amount, inverse }, facts: { sold, bought } }: Created) => {
      const words = { amount: amountWords(amount, sold), asset: bought }
      const isBuying = String(inverse) === '1'
      if (kind === 'limit') return isBuying ? m.plan_asked_limit_buy(words) : m.plan_asked_limit_sell(words)
      return isBuying ? m.plan_asked_schedule_buy(words) : m.plan_asked_schedule_sell(words)
    },
    done: (plan: Plan) => m.plan_done({ trade: tradeText(plan) }),
    refused: (error: Error, { facts: { sold } }: Created) => refusedText(error, sold),
    link,
  },
  pausePlan: {
    asked: ({ facts }: Changed) => m.plan_asked_pause({ trade: tradeText(facts) }),
    done: (plan: Plan) => m.plan_done_pause({ trade: tradeText(plan) }),
    refused: refusedChange,
    link,
  },
  resumePlan: {
    asked: ({ facts }: Changed) => m.plan_asked_resume({ trade: tradeText(facts) }),
    done: (plan: Plan) => m.plan_done_resume({ trade: tradeText(plan) }),
    refused: refusedChange,
    link,
  },
  cancelPlan: {
    asked: ({ facts }: Changed) => m.plan_asked_cancel({ trade: tradeText(facts) }),
    done: (plan: Plan) => m.plan_done_cancel({ trade: tradeText(plan) }),
    refused: refusedChange,
    link,
  },
}
