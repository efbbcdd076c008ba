import type { RefusalName } from '@clearwell/api/codes'
import type { ResponseOf } from '@clearwell/api/routes'
import { unlessRefused } from './calls.ts'
import {
  addTo,
  type Chance,
  callAs,
  DEADLINE_MS,
  type SimulatedUser,
  type TradedPool,
  textOf,
  type UserContext,
  unitsOf,
} from './simulated-user.ts'

/** The UIDs have so many digits. */
const UID_DIGITS = 16n
/** Users let one in so many requests wait until the system passes it. */
const LEFT_ONE_IN = 4

/** Reasons why the user buys no RT now: too little USDT, or a pool that does not trade. */
const NOT_NOW: readonly RefusalName[] = ['balance_not_enough', 'trading_suspended', 'price_moved']

/**
 * Requests the next star level: links a UID at the first time, buys the missing RT, and deposits it. Nothing while a request
 * is open, or without the money.
 *
 * @returns whether the user has swapped.
 */
export async function requestStar(
  context: UserContext,
  user: SimulatedUser,
  { pools, key }: Pick<Chance, 'key'> & { readonly pools: readonly TradedPool[] },
): Promise<boolean> {
  const hub = await readHub(context, user, key)
  if (hub.request?.status === 'Requested' || hub.next === null) return false
  const missing = unitsOf(hub.missing, 'RT')
  const wanted = missing - unitsOf(hub.wallet_balance, 'RT')
  const hasBought = wanted > 0n && (await buyRt(context, user, { pools, units: wanted, key }))
  if (wanted > 0n && !hasBought) return false
  if (missing > 0n) {
    await callAs(context, user, 'depositRt', { amount: textOf(missing, 'RT') }, `${key}-deposit`)
    addTo(user, 'RT', -missing)
  }
  // A user gets one star a day.
  await unlessRefused(callAs(context, user, 'requestUpgrade', {}, `${key}-request`), ['not_open'])
  return hasBought
}

/** First names that read in both languages; the number tells namesakes apart. */
const NAMES = ['Ada', 'Ben', 'Chan', 'Dee', 'Eva', 'Fung', 'Gigi', 'Ho', 'Ivy', 'Jay', 'Kay', 'Lam']

/** Reads the user's state in the hub, and links a UID at the first time. */
async function readHub(context: UserContext, user: SimulatedUser, key: string): Promise<ResponseOf<'richOverview'>> {
  const hub = await callAs(context, user, 'richOverview', {})
  if (hub.uid !== null) return hub
  const first = 10n ** (UID_DIGITS - 1n)
  const link = {
    uid: String(first + (BigInt(user.account.address) % first)),
    name: `${NAMES[user.number % NAMES.length]} ${user.number + 1}`,
  }
  return callAs(context, user, 'linkUid', link, `${key}-link`)
}

/** Buys RT with USDT. @returns false where that is not possible now. */
async function buyRt(
  context: UserContext,
  user: SimulatedUser,
  { pools, units, key }: Pick<Chance, 'key'> & { readonly pools: readonly TradedPool[]; readonly units: bigint },
): Promise<boolean> {
  const pool = pools.find(({ base, quote }) => base === 'RT' && quote === 'USDT')
  const held = user.held?.get('USDT') ?? 0n
  if (!pool || held === 0n) return false
  const order = {
    pool_id: pool.id,
    amount: textOf(units, 'RT'),
    inverse: 1,
    exact: 'out',
    max_amount_in: textOf(held, 'USDT'),
    deadline: new Date(context.clock.now().getTime() + DEADLINE_MS).toISOString(),
  } as const
  const done = await unlessRefused(callAs(context, user, 'doSwap', order, `${key}-buy`), NOT_NOW)
  if (!done) return false
  addTo(user, 'USDT', -unitsOf(done.amount_in, 'USDT'))
  addTo(user, 'RT', unitsOf(done.amount_out, 'RT'))
  return true
}

/** Collects the user's earned RT. Nothing where there is none. */
export async function collectRt(
  context: UserContext,
  user: SimulatedUser,
  { key }: Pick<Chance, 'key'>,
): Promise<void> {
  const hub = await unlessRefused(callAs(context, user, 'collectRt', {}, key), ['conflict', 'uid_not_linked'])
  if (hub) user.held?.set('RT', unitsOf(hub.wallet_balance, 'RT'))
}

/** Approves most of the requests that wait for the user. */
export async function approveStars(
  context: UserContext,
  user: SimulatedUser,
  { chance }: Pick<Chance, 'chance'>,
): Promise<void> {
  const { items } = await callAs(context, user, 'richChildren', { limit: 20 })
  for (const [index, { request }] of items.entries()) {
    if (request?.status !== 'Requested' || (chance + index) % LEFT_ONE_IN === 0) continue
    const { request_id } = request
    // The request may have passed meanwhile.
    const approval = callAs(context, user, 'approveUpgrade', { request_id }, `approve-${request_id}`)
    await unlessRefused(approval, ['conflict'])
  }
}
