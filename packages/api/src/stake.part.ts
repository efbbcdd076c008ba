import * as z from 'zod/mini'
import { asset, decimalText, timeText } from './fields.ts'
import { definePart } from './part.ts'
import { stakeRoutes } from './stake.routes.ts'

const loan = { order_id: z.string(), asset, borrowed: decimalText }
/** The moment that the notice speaks of; absent in notices of earlier versions. */
const at = z.optional(timeText)

export const stakePart = definePart({
  routes: stakeRoutes,
  entryKinds: ['pledge', 'unpledge', 'loan', 'loan_repayment', 'collateral_added', 'collateral_returned'],
  notices: {
    /** The loan-to-value ratio of a loan has reached a warning. `percent`: the limit in force. `ltv`: the ratio then, a fraction. */
    loan_warning: z.object({ ...loan, percent: z.number(), ltv: z.optional(decimalText) }),
    /** The repayment time of a loan, `due_at`, is near. Earlier versions gave only the hours. */
    loan_reminder: z.object({ ...loan, hours: z.int(), due_at: z.optional(timeText) }),
    /** The floating rate of a loan has doubled since its opening, or doubled again. */
    loan_rate_doubled: z.object({ ...loan, rate: decimalText, opened_rate: decimalText }),
    /** A loan can be liquidated by anyone from now on. */
    loan_to_be_cleared: z.object({ ...loan, at }),
    /** A part of a loan was liquidated. `borrowed` is the principal that is left. */
    loan_part_liquidated: z.object(loan),
    /** A loan was liquidated. */
    loan_liquidated: z.object({ ...loan, at }),
  },
  pushedFacts: {
    loan_warning: ['percent'],
    loan_reminder: ['hours'],
    loan_rate_doubled: [],
    loan_to_be_cleared: [],
    loan_part_liquidated: [],
    loan_liquidated: [],
  },
})
