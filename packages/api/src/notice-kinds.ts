import * as z from 'zod/mini'
import { asset, decimalText, timeText } from './fields.ts'
import { planNotices } from './plan.notices.ts'

const loan = { order_id: z.string(), asset, borrowed: decimalText }
const box = {
  box_id: z.string(),
  day: z.string(),
  reward: z.array(z.object({ asset, amount: decimalText })),
  expires_at: timeText,
}

const upgrade = { request_id: z.string(), name: z.string(), star: z.int() }

/**
 * Every kind of notice that users can get, with its facts. Each server feature lists the kinds that it sends, and the web
 * has a text for each in both languages: a kind without a text does not compile.
 */
export const NOTICE_KINDS = {
  /** A market's price reached the price of the user's alert. */
  price_alert: z.object({
    symbol: z.string(),
    direction: z.enum(['above', 'below']),
    price: decimalText,
    /** Market price that reached the alert. */
    price_seen: decimalText,
  }),
  /** The loan-to-value ratio of a loan has reached a warning. `percent`: the limit in force. `ltv`: the ratio then, a fraction. */
  loan_warning: z.object({ ...loan, percent: z.number(), ltv: z.optional(decimalText) }),
  /** The repayment time of a loan is near. */
  loan_reminder: z.object({ ...loan, hours: z.int() }),
  /** The floating rate of a loan has doubled since its opening, or doubled again. */
  loan_rate_doubled: z.object({ ...loan, rate: decimalText, opened_rate: decimalText }),
  /** A loan can be liquidated by anyone from now on. */
  loan_to_be_cleared: z.object(loan),
  /** A part of a loan was liquidated. `borrowed` is the principal that is left. */
  loan_part_liquidated: z.object(loan),
  /** A loan was liquidated. */
  loan_liquidated: z.object(loan),
  /** A request for a star level waits for the user's approval. */
  upgrade_requested: z.object(upgrade),
  /** The user's own request has passed. */
  upgrade_passed: z.object({ request_id: z.string(), star: z.int() }),
  /** A direct lead was activated. `lead` is its shortened address. */
  lead_activated: z.object({ lead: z.string() }),
  /** The membership level rose. */
  level_up: z.object({ level: z.int() }),
  /**
   * A payout that a restored ledger had lost was booked. `taken`: from the user's balance. `covered`: by the operator's
   * accounts.
   */
  payout_settled: z.object({
    asset,
    amount: decimalText,
    taken: decimalText,
    covered: decimalText,
    tx_hash: z.string(),
  }),
  /** The reward of a box can be claimed. */
  box_claimable: z.object(box),
  /** The reward of a box can be claimed for three more days. */
  box_expiring: z.object(box),
  ...planNotices,
} as const satisfies Readonly<Record<string, z.core.$ZodObject>>
export type NoticeKind = keyof typeof NOTICE_KINDS
export type NoticeParams<Kind extends NoticeKind> = z.output<(typeof NOTICE_KINDS)[Kind]>

/**
 * The facts that a push message about a notice tells a device: no amounts, names and ids. Other kinds are not pushed when the
 * server sends the notice: price alerts queue theirs with their delivery, and rewards can wait until their owner opens the app.
 */
export const PUSHED_FACTS: { readonly [Kind in NoticeKind]?: readonly (keyof NoticeParams<Kind>)[] } = {
  loan_warning: ['percent'],
  loan_reminder: ['hours'],
  loan_rate_doubled: [],
  loan_to_be_cleared: [],
  loan_part_liquidated: [],
  loan_liquidated: [],
  upgrade_requested: ['star'],
  upgrade_passed: ['star'],
  lead_activated: [],
  level_up: ['level'],
}
