import * as z from 'zod/mini'
import { asset, decimalText, id, listOf, nothing, optional, page, timeText, wholeNumber } from './fields.ts'
import type { Route } from './route.ts'

/** A calendar day in Hong Kong, such as 2026-11-22. */
const day = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/, 'not a day such as 2026-11-22'))
const boxId = z.string().check(z.regex(/^[0-9a-f]{32}$/, 'not the id of a box'))

/** One row for each asset. */
export const amounts = z.array(z.object({ asset, amount: decimalText }))

/** 2 to be divided, 0 to be assigned (claimable), 1 success (claimed), -1 failed. */
const boxStatus = z.literal([-1, 0, 1, 2])

/** The steps of closing a day, in their order: see docs/concepts/draw.md. A flat day has no block and no seed. */
const phase = z.enum(['open', 'closed', 'rooted', 'mined', 'seeded', 'drawn', 'shared', 'divided'])

/** A box of mine. */
export const boxItem = z.object({
  box_id: z.string(),
  day,
  status: boxStatus,
  /** Why the status is -1. */
  reason: z.nullable(z.enum(['nothing_to_divide', 'expired', 'no_root', 'no_seed'])),
  level: z.int(),
  /** Consecutive days with a click before this one. */
  streak: z.int(),
  /** The revenue part of my swap fees in the days before, in USDT. */
  fees: decimalText,
  level_factor: decimalText,
  streak_factor: decimalText,
  /** 0 to 99. null while the box is sealed, and on a day that draws ×1. */
  ticket: z.nullable(z.int()),
  /** null while the box is sealed. */
  draw: z.nullable(z.int()),
  /** The fees × the level factor × the streak factor, and × the draw once that is known. */
  power: decimalText,
  /** A fraction of the day's total power, rounded down to 8 decimals. null while the box is sealed. */
  share: z.nullable(decimalText),
  /** Empty while the box is sealed, and where there was nothing to divide. */
  reward: amounts,
  created_at: timeText,
  divided_at: z.nullable(timeText),
  claimed_at: z.nullable(timeText),
  /** The first moment at which the reward can no longer be claimed. null while the box is sealed, and without a reward. */
  expires_at: z.nullable(timeText),
})

/**
 * The pool of a day in one asset: a part of the smaller of the `rewards` balance and of what the swap fees of the day's box
 * owners brought into it in the days before. Rounded down.
 */
export const poolItem = z.object({ asset, rewards: decimalText, contributed: decimalText, pool: decimalText })

/** Why a day divided nothing, although there was something to divide. */
const voidReason = z.nullable(z.enum(['no_root', 'no_seed']))

/** Changes of the `rewards` balance of an asset within a day, by kind of ledger entry. */
const sourceItem = z.object({ asset, kind: z.string(), amount: decimalText, entries: z.int() })

/** When a window opens next; null while it is open. */
const opensAt = z.nullable(timeText)

/** The facts of today that everyone can read. */
const today = {
  day,
  /** When the day ends and the next click can be made. */
  ends_at: timeText,
  /** The power of today's boxes before their draws. */
  network_power: decimalText,
  /** Users who have clicked today. */
  contributors: z.int(),
  /** Today's pool if the day ended now. Empty pools are listed with 0. */
  pool: z.array(poolItem),
  /** Fixes the secret seed of today's draws. null if the server has not published one yet. */
  commitment: z.nullable(z.string()),
  committed_at: z.nullable(timeText),
} as const

/** Everything in the file of a day but its boxes, as `verifyBox` of packages/verify reads it. */
const dayHeader = z.object({
  format: z.string(),
  /** The number of the header on the chain that holds the root. null until headers are there. */
  header_number: z.nullable(z.int()),
  day,
  opens_at: timeText,
  closes_at: timeText,
  rule: z.enum(['table', 'flat']),
  /** The numbers of the day, as its root fixes them. */
  rules: z.string(),
  commitment: z.nullable(z.string()),
  committed_at: z.nullable(timeText),
  ledger_seq: z.int(),
  entry_hash: z.string(),
  tree: z.string(),
  boxes_root: z.string(),
  root_at: timeText,
  block_not_before: z.nullable(timeText),
  block_number: z.nullable(z.int()),
  block_hash: z.nullable(z.string()),
  block_time: z.nullable(timeText),
  previous_block_time: z.nullable(timeText),
  seed: z.nullable(z.string()),
  seed_at: z.nullable(timeText),
  box_count: z.int(),
  total_power: decimalText,
  pool: z.array(
    z.object({ asset, rewards: decimalText, contributed: decimalText, pool: decimalText, shared: decimalText }),
  ),
})

/** A box as the file of its day has it. */
const fileBox = z.object({
  box_id: z.string(),
  level: z.int(),
  streak: z.int(),
  fees: decimalText,
  level_factor: decimalText,
  streak_factor: decimalText,
  ticket: z.nullable(z.int()),
  draw: z.int(),
  power: decimalText,
  rewards: amounts,
})

/** More than a user can have open: one box a day, each for 30 days, and the days that a server slept. */
const MAX_CLAIMED = 60

const statusRoutes = {
  boxRules: {
    method: 'POST',
    path: '/BlindBox/rules',
    session: 'none',
    idempotent: false,
    isPolled: true,
    summary: 'The odds, the formula, the opening times and today’s pool, live.',
    payload: nothing,
    response: z.object({
      ...today,
      /** False: this operator may not hold draws, and every draw is ×1. */
      allows_draws: z.boolean(),
      /** How today draws: `flat` is ×1 for every box. */
      rule: z.enum(['table', 'flat']),
      /** The factors of the draw with their chance, a fraction. They add up to 1. */
      odds: z.array(z.object({ factor: z.int(), chance: decimalText })),
      formula: z.object({
        /** The factor of level 0, what each level adds, and the highest level. */
        level_base: decimalText,
        level_step: decimalText,
        level_max: z.int(),
        /** The factor of the first day, what each consecutive day adds, and the largest factor. */
        streak_base: decimalText,
        streak_step: decimalText,
        streak_max: decimalText,
        /** Days before a day whose swap fees make power. */
        fee_days: z.int(),
        /** A day shares at most each of the two bounds of its pool divided by this. */
        pool_parts: z.int(),
        claimable_days: z.int(),
        /** Minutes after a day's end at which its block can be due. */
        block_minutes: z.array(z.int()),
        /** Minutes that a root is published before the time of its block. */
        root_margin_minutes: z.int(),
        /** A day whose seed is not published within these hours after its block is void. */
        reveal_hours: z.int(),
      }),
      /** Daily opening times in Hong Kong, and the next opening. */
      clicks: z.object({
        opening: z.union([z.literal('always'), z.object({ opens: z.string(), closes: z.string() })]),
        opens_at: opensAt,
      }),
      claims: z.object({
        opening: z.union([z.literal('always'), z.object({ opens: z.string(), closes: z.string() })]),
        opens_at: opensAt,
      }),
      /** Changes of the pools today. The rest of a pool is from earlier days. */
      sources: z.array(sourceItem),
      /** The last ledger entry that `sources` counts. */
      sources_seq: z.int(),
      /** Days that have ended and are not divided yet, oldest first; at most 7. */
      closing: z.array(z.object({ day, phase })),
      /** The latest day with a result. null before the first. */
      last_divided: z.nullable(day),
    }),
    refusals: [],
  },
  boxStatus: {
    method: 'POST',
    path: '/BlindBox/status',
    session: 'required',
    idempotent: false,
    summary: 'Returns the user’s box for today, power and streak, and rewards to claim.',
    payload: nothing,
    response: z.object({
      ...today,
      clicked: z.boolean(),
      can_click: z.boolean(),
      /** Why I cannot click now. */
      reason: z.nullable(z.enum(['not_activated', 'clicked', 'not_open', 'operator_account'])),
      /** When I can click next. null if I can now, and while the account is not activated. */
      opens_at: opensAt,
      /** Consecutive days of clicking, with today once I have clicked. */
      streak: z.int(),
      level: z.int(),
      /** The revenue part of my swap fees in the days that count for today, in USDT. 0: my box has no power yet. */
      fees_30_days: decimalText,
      /** The factors of today's box, or of the one that a click would make. */
      level_factor: decimalText,
      streak_factor: decimalText,
      /** The power of today's box before its draw; 0 without one. */
      my_power: decimalText,
      /** The power before the draw that a click would make. */
      click_power: decimalText,
      /** Today's box. */
      box: z.nullable(boxItem),
      /** Rewards that I can claim, by asset. */
      claimable: amounts,
      claimable_boxes: z.int(),
      /** When the first of them expires. */
      claimable_until: z.nullable(timeText),
      /** When claims open next; null while they are open. */
      claims_open_at: opensAt,
    }),
    refusals: [],
  },
  boxCalendar: {
    method: 'POST',
    path: '/BlindBox/calendar',
    session: 'required',
    idempotent: false,
    summary: 'Lists the days of a month on which the user clicked, with the status of each box.',
    payload: z.object({
      /** Such as 2026-11; the present month if it is missing. */
      month: optional(z.string().check(z.regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'not a month such as 2026-11'))),
    }),
    response: z.object({
      month: z.string(),
      today: day,
      /** My first click ever. null before it. */
      first_day: z.nullable(day),
      /** Oldest first. A day that is missing has no click. */
      days: z.array(z.object({ day, box_id: z.string(), status: boxStatus, streak: z.int() })),
    }),
    refusals: [],
  },
} as const satisfies Record<string, Route>

const boxRoutes = {
  clickBox: {
    method: 'POST',
    path: '/BlindBox/click',
    session: 'required',
    idempotent: true,
    summary: "Makes today's sealed box: once for each day in Hong Kong.",
    payload: nothing,
    response: z.object({ box: boxItem }),
    refusals: ['not_activated', 'not_open', 'not_available', 'conflict', 'trading_suspended'],
  },
  boxHistory: {
    method: 'POST',
    path: '/BlindBox/history',
    session: 'none',
    idempotent: false,
    summary: 'Lists the latest clicks of all users, with shortened addresses.',
    payload: z.object(page),
    response: listOf(
      z.object({
        /** Shortened: 0x1234…abcd. */
        address: z.string(),
        day,
        level: z.int(),
        streak: z.int(),
        /** Before the draw. */
        power: decimalText,
        created_at: timeText,
      }),
    ),
    refusals: [],
  },
  boxes: {
    method: 'POST',
    path: '/BlindBox/boxes',
    session: 'required',
    idempotent: false,
    summary: 'Lists the user’s boxes, newest first.',
    payload: z.object({
      status: optional(
        z.pipe(z.union([boxStatus, z.pipe(z.enum(['-1', '0', '1', '2']), z.transform(Number))]), boxStatus),
      ),
      ...page,
    }),
    response: listOf(boxItem),
    refusals: [],
  },
  claimBoxes: {
    method: 'POST',
    path: '/BlindBox/claim',
    session: 'required',
    idempotent: true,
    summary: 'Claims the rewards of some of the user’s boxes, or of all, in one command.',
    payload: z.object({ box_ids: optional(z.array(id).check(z.maxLength(MAX_CLAIMED))) }),
    response: z.object({
      /** The ids of the claimed boxes. A box that cannot be claimed any more is left out. */
      claimed: z.array(z.string()),
      /** Their sum, by asset. */
      amount: amounts,
      /** Each claimed box. */
      boxes: z.array(z.object({ box_id: z.string(), day, reward: amounts })),
      claimed_at: timeText,
    }),
    refusals: ['not_open', 'not_found', 'conflict', 'trading_suspended'],
  },
} as const satisfies Record<string, Route>

const proofRoutes = {
  boxProof: {
    method: 'POST',
    path: '/BlindBox/proof',
    session: 'none',
    idempotent: false,
    summary: 'The published facts of a day so far: commitment, root, block and seed.',
    payload: z.object({ day }),
    response: z.object({
      day,
      phase,
      /** null until the day has ended. */
      rule: z.nullable(z.enum(['table', 'flat'])),
      commitment: z.nullable(z.string()),
      committed_at: z.nullable(timeText),
      box_count: z.int(),
      boxes_root: z.nullable(z.string()),
      root_at: z.nullable(timeText),
      /** True: the day had no root or no seed in time. It divided nothing, and the treasury paid as much into `rewards`. */
      void: z.boolean(),
      void_reason: voidReason,
      /** The block is the first final one from this time on. */
      block_not_before: z.nullable(timeText),
      block_number: z.nullable(z.int()),
      block_hash: z.nullable(z.string()),
      block_time: z.nullable(timeText),
      /** null while it is secret, and on a void day. */
      seed: z.nullable(z.string()),
      seed_at: z.nullable(timeText),
      /** The last moment at which the seed counts. null until the block is known. */
      seed_deadline: z.nullable(timeText),
      divided_at: z.nullable(timeText),
      /** The header of the day's file. null until the day's pool is shared, and for a void day. */
      header: z.nullable(dayHeader),
    }),
    refusals: ['not_found'],
  },
  boxRoots: {
    method: 'POST',
    path: '/BlindBox/roots',
    session: 'none',
    idempotent: false,
    isPolled: true,
    summary: 'The roots of the latest days, newest first, as soon as each is published.',
    payload: nothing,
    response: z.object({
      /** The server's time. */
      time: timeText,
      /** At most 7. */
      roots: z.array(
        z.object({
          day,
          boxes_root: z.string(),
          root_at: timeText,
          /** The time that the day's block must reach. null for a day that draws ×1. */
          block_not_before: z.nullable(timeText),
        }),
      ),
    }),
    refusals: [],
  },
  boxInclusion: {
    method: 'POST',
    path: '/BlindBox/inclusion',
    cost: { rows: 4_100, requests: 20 },
    session: 'none',
    idempotent: false,
    summary:
      'Everything that verifies one box of a divided day: its leaf, its path to the root and the header of the day.',
    payload: z.object({ box_id: boxId }),
    response: z.object({
      leaf: z.string(),
      index: z.int(),
      path: z.array(z.string()),
      root: z.string(),
      tree: z.string(),
      box: fileBox,
      header: dayHeader,
    }),
    refusals: ['not_found'],
  },
  boxSources: {
    method: 'POST',
    path: '/BlindBox/sources',
    cost: { rows: 2_000, requests: 20 },
    session: 'none',
    idempotent: false,
    summary: "The ledger entries behind a day's pool, asset by asset, newest first.",
    payload: z.object({ day, asset: optional(asset), ...page }),
    response: z.object({
      /** The `rewards` balance at the day's end. Until then: now. */
      pools: z.array(
        z.object({
          asset,
          /** After the division of the day before. */
          opening: decimalText,
          /** `opening` and all `sources` together. */
          rewards: decimalText,
          contributed: decimalText,
          pool: decimalText,
        }),
      ),
      sources: z.array(sourceItem),
      items: z.array(
        z.object({
          /** The place of the ledger entry, which counts up: a number, and no id. `entry_hash` identifies the entry. */
          entry: z.int(),
          kind: z.string(),
          asset,
          amount: decimalText,
          /** The entry's hash, which covers every earlier entry. */
          entry_hash: z.string(),
          created_at: timeText,
        }),
      ),
      next_cursor: z.nullable(z.string()),
      /** Entries of the day are in an archive of the operator, so `items` lacks them. The sums are complete. */
      is_archived: z.boolean(),
    }),
    refusals: ['not_found'],
  },
  boxDays: {
    method: 'POST',
    path: '/BlindBox/days',
    session: 'none',
    idempotent: false,
    summary: 'Lists the closed days, paid or void, newest first.',
    payload: z.object({ cursor: page.cursor, limit: optional(wholeNumber(1, 100)) }),
    response: listOf(
      z.object({
        day,
        rule: z.enum(['table', 'flat']),
        box_count: z.int(),
        total_power: decimalText,
        /** null: the day is void, or it needed none. */
        seed: z.nullable(z.string()),
        /** null: the day is void, because its root did not come in time. */
        boxes_root: z.nullable(z.string()),
        root_at: z.nullable(timeText),
        /** True: the day divided nothing, and the treasury paid as much into `rewards`. */
        void: z.boolean(),
        void_reason: voidReason,
        shared: amounts,
      }),
    ),
    refusals: [],
  },
  boxDayFile: {
    method: 'GET',
    path: '/BlindBox/day.json',
    cost: { rows: 1_000, requests: 30 },
    session: 'none',
    idempotent: false,
    returnsFile: true,
    summary: 'Returns all published facts of a closed day, as the offline verifier reads them.',
    payload: z.object({ day }),
    response: z.string(),
    refusals: ['not_found'],
  },
} as const satisfies Record<string, Route>

/** The daily click, its draw and its reward. docs/concepts/draw.md has the rules. */
export const blindBoxRoutes = { ...statusRoutes, ...boxRoutes, ...proofRoutes } as const satisfies Record<string, Route>
