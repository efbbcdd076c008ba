import * as z from 'zod/mini'
import { amountText, decimalText, id, listOf, nothing, optional, page, timeText, wholeNumber } from './fields.ts'
import type { Route } from './route.ts'

/** An external UID: 6 to 20 digits. */
const uid = z.string().check(z.regex(/^\d{6,20}$/, '6 to 20 digits'))

/** 1 to 32 visible characters after trimming; no control characters, and none that reorders the text around it. */
const name = z.pipe(
  z.string().check(z.maxLength(200), z.trim()),
  z.string().check(z.regex(/^[^\p{C}\p{Zl}\p{Zp}]{1,32}$/u, '1 to 32 visible characters')),
)

/** 0 to 9. */
const star = z.int()

const request = z.object({
  request_id: z.string(),
  /** The star level that it asks for. */
  star,
  /** Withdrawn: the requester stepped down or took the deposit back. */
  status: z.enum(['Requested', 'Passed', 'Withdrawn']),
  created_at: timeText,
  /** When the system passes it, unless the parent approves it before. null once it has passed or was withdrawn. */
  passes_at: z.nullable(timeText),
  /** null unless it has passed. */
  passed_at: z.nullable(timeText),
  passed_by: z.nullable(z.enum(['parent', 'system'])),
})

/** A person whom the caller invited. */
const child = z.object({
  address: z.string(),
  name: z.string(),
  /** null after the operator released it. */
  uid: z.nullable(z.string()),
  /** The membership level now: 0 to 5. */
  level: z.int(),
  /** The star level now. */
  star,
  /** The latest request that was not withdrawn; null without one. The caller can approve it while it is Requested. */
  request: z.nullable(
    z.object({
      request_id: z.string(),
      star,
      status: z.enum(['Requested', 'Passed']),
      created_at: timeText,
      /** When the system passes it, unless the caller approves it before. null once it has passed. */
      passes_at: z.nullable(timeText),
    }),
  ),
})

const overview = z.object({
  /** null until a UID is linked, and after the operator released it. */
  uid: z.nullable(z.string()),
  name: z.nullable(z.string()),
  star,
  /** The next star level; null at the highest. */
  next: z.nullable(star),
  /** RT that is locked as my deposit. It stays mine. */
  deposit: decimalText,
  /** The whole deposit that the next star level needs; null at the highest. */
  required: z.nullable(decimalText),
  /** The missing part of it; 0 if the deposit is enough. */
  missing: decimalText,
  /** The deposit as a part of `required`: a fraction from 0 to 1, rounded down. 1 at the highest star level. */
  progress: decimalText,
  /** RT that can be deposited, swapped or transferred. */
  wallet_balance: decimalText,
  /** The part of the deposit that the star does not need: it can be taken back at any time. */
  spare: decimalText,
  /** My share of the next daily release if nothing changes before: an estimate, not a promise. */
  to_be_earned: decimalText,
  /** Earned, and not collected yet. */
  to_be_collected: decimalText,
  /** Everything collected so far. */
  collected: decimalText,
  next_release_at: timeText,
  /** When the first whole day of my latest star begins: only whole days count. null once all of my weight counts. */
  counts_from: z.nullable(timeText),
  /** My latest request that was not withdrawn; null if there is none. */
  request: z.nullable(request),
  /** A step down in progress: the deposit returns at this time, and the star level becomes 0. */
  step_down: z.nullable(z.object({ amount: decimalText, returns_at: timeText })),
})

const starTerms = z.object({
  star,
  /** The whole deposit that it needs. */
  required: decimalText,
  /** Its weight in the daily release. */
  weight: z.int(),
  /**
   * The share of a whole day for an account that gets this star level without having had one, if nothing else changes: an
   * estimate, not a promise.
   */
  next_share: decimalText,
})

const release = z.object({
  /** The day in Hong Kong that it is for: 2026-11-22. */
  day: z.string(),
  released_at: timeText,
  /** Balance of the programme before the release. */
  remaining: decimalText,
  /** `per_weight` × `weight`. The rest stays in the programme. */
  released: decimalText,
  /** Base units of RT for each unit of weight, rounded down. */
  per_weight: z.string(),
  /** Weight of all stars that were held for the whole day. */
  weight: z.string(),
  /** How many accounts have a star. */
  accounts: z.int(),
})

const command = { method: 'POST', session: 'required', idempotent: true } as const
const read = { method: 'POST', session: 'required', idempotent: false } as const

export const richRoutes = {
  richOverview: {
    ...read,
    path: '/Rich/overview',
    summary: 'Returns the user’s place in the upgrade hub: UID, star level, deposit, earnings and latest request.',
    payload: nothing,
    response: overview,
    refusals: [],
  },
  linkUid: {
    ...command,
    path: '/Rich/link',
    summary: 'Links an external UID to the account. One account per UID.',
    payload: z.object({ uid, name }),
    response: overview,
    refusals: ['not_activated', 'conflict'],
  },
  renameUid: {
    ...command,
    path: '/Rich/rename',
    summary: 'Changes the name of the UID.',
    payload: z.object({ name }),
    response: overview,
    refusals: ['uid_not_linked'],
  },
  depositRt: {
    ...command,
    path: '/Rich/deposit',
    summary: 'Locks RT as the user’s deposit. `data.max` of a refusal is what the highest star level still needs.',
    payload: z.object({ amount: amountText }),
    response: overview,
    refusals: [
      'not_activated',
      'uid_not_linked',
      'rt_balance_not_enough',
      'amount_out_of_range',
      'conflict',
      'trading_suspended',
    ],
  },
  previewDeposit: {
    ...read,
    path: '/Rich/previewDeposit',
    summary: 'The effect of a deposit, without making it.',
    payload: z.object({ amount: amountText }),
    response: z.object({
      amount: decimalText,
      deposit: decimalText,
      wallet_balance: decimalText,
      missing: decimalText,
      progress: decimalText,
      /** The highest star level that the deposit is enough for. Each level still needs a separate request. */
      enough_for: star,
    }),
    refusals: ['rt_balance_not_enough', 'amount_out_of_range'],
  },
  collectRt: {
    ...command,
    path: '/Rich/collect',
    summary: 'Moves earned RT to the RT wallet balance. Always possible.',
    payload: nothing,
    response: overview,
    refusals: ['uid_not_linked', 'conflict', 'trading_suspended'],
  },
  takeBackRt: {
    ...command,
    path: '/Rich/takeBack',
    summary: 'Returns the part of the deposit that the star does not need, immediately. Withdraws an open request.',
    payload: nothing,
    response: overview,
    refusals: ['uid_not_linked', 'conflict', 'trading_suspended'],
  },
  stepDown: {
    ...command,
    path: '/Rich/stepDown',
    summary:
      'Gives notice: after it, the deposit returns and the star level becomes 0. The star earns nothing from now on. Withdraws an open request.',
    payload: nothing,
    response: overview,
    refusals: ['uid_not_linked', 'conflict'],
  },
  requestUpgrade: {
    ...command,
    path: '/Rich/requestUpgrade',
    summary:
      'Requests the next star level. Without an inviter, the system passes the request immediately. An account gets at most one star a day.',
    payload: nothing,
    response: request,
    refusals: ['not_activated', 'uid_not_linked', 'rt_deposit_missing', 'not_open', 'conflict'],
  },
  approveUpgrade: {
    ...command,
    path: '/Rich/approve',
    summary: 'Approves a request of a child.',
    payload: z.object({ request_id: id }),
    response: request,
    refusals: ['not_activated', 'not_found', 'conflict'],
  },
  richChildren: {
    ...read,
    path: '/Rich/children',
    summary: 'Lists the invited people who linked a UID, each once. The one with the latest request or link is first.',
    payload: z.object(page),
    response: listOf(child),
    refusals: [],
  },
  richRequests: {
    ...read,
    path: '/Rich/requests',
    summary: 'Lists the user’s requests, newest first.',
    payload: z.object(page),
    response: listOf(request),
    refusals: [],
  },
  richEarnings: {
    ...read,
    path: '/Rich/earnings',
    summary: 'Returns candles of the collected RT, oldest first. Days, weeks and months are those of Hong Kong.',
    payload: z.object({ interval: z.enum(['1d', '1w', '1M']), limit: optional(wholeNumber(1, 100)) }),
    response: z.array(
      z.object({
        /** Its start. */
        time: timeText,
        /** RT collected before the candle. The sum never falls, so `low` equals `open` and `high` equals `close`. */
        open: decimalText,
        high: decimalText,
        low: decimalText,
        /** RT collected up to its end, or to now. */
        close: decimalText,
        /** RT collected in all its days. */
        volume: decimalText,
      }),
    ),
    refusals: [],
  },
  richProgram: {
    method: 'POST',
    session: 'none',
    idempotent: false,
    path: '/Rich/program',
    isPolled: true,
    summary: 'The terms of each star level, and the daily release of RT.',
    payload: nothing,
    response: z.object({
      stars: z.array(starTerms),
      /** RT that the programme still has. Nothing is paid from anywhere else. */
      remaining: decimalText,
      /** Part of it that is released each day at most: a fraction. */
      release_rate: decimalText,
      /** The most RT that a unit of weight earns a day. */
      max_per_weight: decimalText,
      /** Up to this weight, and the deposits that carry it, no share depends on others. Above it all share one amount. */
      shared_above_weight: z.string(),
      shared_above_deposits: decimalText,
      /** RT that the programme had at genesis. */
      at_genesis: decimalText,
      /** The next release if nothing changes before. */
      next_release: decimalText,
      next_release_at: timeText,
      /** Weight that counts in the next release. */
      weight: z.string(),
      /** Weight that counts from the day after it on, if nothing changes. */
      next_weight: z.string(),
      accounts: z.int(),
      approval_hours: z.int(),
      notice_days: z.int(),
    }),
    refusals: [],
  },
  richReleases: {
    method: 'POST',
    session: 'none',
    idempotent: false,
    path: '/Rich/releases',
    summary: 'Every daily release, with the figures that everyone can compute it from. Newest first.',
    payload: z.object(page),
    response: listOf(release),
    refusals: [],
  },
} as const satisfies Record<string, Route>
