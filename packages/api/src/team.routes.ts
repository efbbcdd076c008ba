import * as z from 'zod/mini'
import { asset, decimalText, entriesOf, listOf, nothing, optional, page, timeText, wholeNumber } from './fields.ts'
import type { Route } from './route.ts'

const memberId = z.string().check(z.regex(/^\d{1,15}$/, 'not a member'))

/** People who signed in with a user's invite code, and those whom they invited, and so on. */
const counts = {
  /** Members whom the user invited. */
  direct: z.int(),
  direct_activated: z.int(),
  /** Members at every depth. */
  total: z.int(),
  total_activated: z.int(),
}

export const teamRoutes = {
  teamOverview: {
    method: 'POST',
    path: '/Team/overview',
    session: 'required',
    idempotent: false,
    summary: 'Returns the user’s team in numbers, membership level and invitation.',
    payload: nothing,
    response: z.object({
      ...counts,
      /** Membership level, 0 to 5. */
      level: z.int(),
      /** Progress to the next level. null at the highest one. */
      next_level_progress: z.nullable(
        z.object({
          /** The next level. */
          level: z.int(),
          /** Activated direct leads count if they have this level or a higher one. */
          lead_level: z.int(),
          leads: z.int(),
          leads_needed: z.int(),
        }),
      ),
      invite_code: z.string(),
      /** Opens the app with the code as `pid`. */
      link: z.string(),
      /** All referral shares that I ever received, by asset. A share is counted within seconds of its swap. */
      earned: z.array(z.object({ asset, amount: decimalText, shares: z.int() })),
    }),
    refusals: [],
  },
  teamMembers: {
    method: 'POST',
    path: '/Team/members',
    cost: { rows: 2_000, requests: 5 },
    session: 'required',
    idempotent: false,
    summary:
      'Lists members of the user’s team: the leads of one member, a whole depth, or those whose address matches.',
    payload: z.object({
      /** The member whose team is listed, from my team. Mine where absent. */
      member_id: optional(memberId),
      /** How far below that member. 1, its direct leads, where absent. */
      depth: optional(wholeNumber(1, 1_000_000)),
      /**
       * The first hex digits of an address, three or more, with or without `0x`; also a shortened address such as
       * `0x1234…abcd`. Searches the whole team of that member, at every depth. The order is that of the addresses.
       */
      search: optional(z.string().check(z.maxLength(80))),
      ...page,
    }),
    /** A page may be shorter than the limit, even empty, although `next_cursor` leads on. */
    response: listOf(
      z.object({
        member_id: z.string(),
        /** Shortened. */
        address: z.string(),
        /** Below me: 1 for my direct leads. */
        depth: z.int(),
        activated: z.boolean(),
        level: z.int(),
        joined_at: timeText,
        ...counts,
      }),
    ),
    refusals: ['not_found'],
  },
  referralShares: {
    method: 'POST',
    path: '/Team/referralShares',
    session: 'required',
    idempotent: false,
    summary: 'Lists the user’s referral shares, each with the swap of a direct lead whose fee paid it.',
    payload: z.object(page),
    response: entriesOf(
      z.object({
        /** The same as in `/Wallet/logs`. */
        id: z.string(),
        asset,
        amount: decimalText,
        /** The lead's swap. */
        transaction_id: z.string(),
        pool_id: z.string(),
        /** The lead's shortened address. */
        lead: z.string(),
        /** The amount that the lead sold, and the fee of the swap, in `asset`. */
        sold: decimalText,
        fee: decimalText,
        created_at: timeText,
      }),
    ),
    refusals: [],
  },
} as const satisfies Record<string, Route>
