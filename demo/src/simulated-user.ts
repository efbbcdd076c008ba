import { createHash } from 'node:crypto'
import { DEMO_VISITOR_KEY } from '@clearwell/api/demo-visitor'
import type { PayloadInput, ResponseOf, RouteName } from '@clearwell/api/routes'
import { ASSET_DECIMALS, type AssetId } from '@clearwell/money/asset'
import { formatUnits, parseUnits } from '@clearwell/money/decimal'
import type { Clock } from '@clearwell/server/src/platform/time/clock.ts'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { call, type LocalApi, signIn, unlessRefused } from './calls.ts'

/** Shorter than a session lasts without use. */
const SESSION_MS = 6 * 86_400_000
export const DEADLINE_MS = 600_000
/** A swap sells from 2 to 11 hundredths of a holding. */
const [LEAST_SOLD, MORE_SOLD] = [2n, 10n]

/** A user who makes the calls of any user, with a wallet that really signs. */
export interface SimulatedUser {
  /** 0 for the first user. */
  readonly number: number
  readonly account: PrivateKeyAccount
  readonly inviter: SimulatedUser | undefined
  session?: {
    readonly token: string
    readonly inviteCode: string
    readonly isActivated: boolean
    usedMs: number
  }
  /** The sign-in in progress. */
  signingIn?: Promise<void> | undefined
  /** Available amounts in base units, once the user has joined. */
  held?: Map<AssetId, bigint>
}

export interface UserContext extends LocalApi {
  readonly clock: Clock
}

/** A pool that users trade in. */
export interface TradedPool {
  readonly id: string
  readonly base: AssetId
  readonly quote: AssetId
}

/** The random number that decides a step, and the idempotency key of its command. */
export interface Chance {
  readonly chance: number
  readonly key: string
}

/** The same seed and number make the same account. */
export function createSimulatedUser(
  seed: number,
  number: number,
  { inviter, isVisitor }: { inviter: SimulatedUser | undefined; isVisitor: boolean },
): SimulatedUser {
  const key = createHash('sha256').update(`clearwell seed ${seed} user ${number}`).digest('hex')
  return { number, account: privateKeyToAccount(isVisitor ? DEMO_VISITOR_KEY : `0x${key}`), inviter }
}

/** Signs in where the last session may have ended, and returns the session. Inviters sign in before their leads. */
export async function sessionOf(
  context: UserContext,
  user: SimulatedUser,
): Promise<NonNullable<SimulatedUser['session']>> {
  const { session } = user
  if (session && context.clock.now().getTime() - session.usedMs < SESSION_MS) return session
  user.signingIn ??= signInAgain(context, user).finally(() => {
    user.signingIn = undefined
  })
  await user.signingIn
  return sessionOf(context, user)
}

async function signInAgain(context: UserContext, user: SimulatedUser): Promise<void> {
  const { account, inviter } = user
  // Only the first sign-in binds a user to the inviter.
  const pid = inviter && !user.session ? (inviter.session ?? (await sessionOf(context, inviter))).inviteCode : undefined
  const { token, user: profile } = await signIn(context, account, pid)
  const usedMs = context.clock.now().getTime()
  user.session = { token, inviteCode: profile.invite_code, isActivated: profile.activated, usedMs }
}

/**
 * Makes a call as the user.
 *
 * @param key the idempotency key, for calls that have one.
 * @throws CallRefused
 */
export async function callAs<Name extends RouteName>(
  context: UserContext,
  user: SimulatedUser,
  name: Name,
  payload: PayloadInput<Name>,
  key?: string,
): Promise<ResponseOf<Name>> {
  const session = await sessionOf(context, user)
  const usedMs = context.clock.now().getTime()
  const response = await call(context, name, payload, session.token, key)
  session.usedMs = usedMs
  return response
}

/** Reads what the user has available. */
export async function readHeld(context: UserContext, user: SimulatedUser): Promise<Map<AssetId, bigint>> {
  const balances = await callAs(context, user, 'balances', {})
  return new Map(balances.map(({ asset, available }) => [asset, unitsOf(available, asset)]))
}

/**
 * Sells a small part of a holding. @returns false where there is nothing to sell, or the pool does not trade.
 *
 * @param step.chance decides the pool, the side and the amount.
 */
export async function swapSome(
  context: UserContext,
  user: SimulatedUser,
  { pools, chance, key }: Chance & { readonly pools: readonly TradedPool[] },
): Promise<boolean> {
  const held = user.held ?? new Map<AssetId, bigint>()
  const pool = pools[chance % pools.length]
  if (!pool) return false
  const holds = (asset: AssetId) => (held.get(asset) ?? 0n) > 0n
  const sides = ([0, 1] as const).filter((inverse) => holds(inverse ? pool.quote : pool.base))
  const inverse = sides[(chance >>> 8) % sides.length]
  if (inverse === undefined) return false
  const [sold, bought] = inverse ? [pool.quote, pool.base] : [pool.base, pool.quote]
  const part = LEAST_SOLD + (BigInt(chance >>> 16) % MORE_SOLD)
  const units = roundAmount(((held.get(sold) ?? 0n) * part) / 100n)
  if (units === 0n) return false
  const deadline = new Date(context.clock.now().getTime() + DEADLINE_MS).toISOString()
  const order = { pool_id: pool.id, amount: textOf(units, sold), inverse, min_amount_out: '0', deadline }
  // Rarely, the swap would push the pool too far from the market, or the pool is suspended.
  const done = await unlessRefused(callAs(context, user, 'doSwap', order, key), ['trading_suspended'])
  if (!done) return false
  addTo(user, sold, -unitsOf(done.amount_in, sold))
  addTo(user, bought, unitsOf(done.amount_out, bought))
  return true
}

/** Sets a price alert a few hundredths away from the market. */
export async function setSomeAlert(context: UserContext, user: SimulatedUser, { chance, key }: Chance): Promise<void> {
  const symbol = chance % 2 ? 'BNBUSDT' : 'ETHUSDT'
  const { price } = await call(context, 'spotTicker', { symbol })
  if (price === null) return
  const [direction, hundredths] = (chance >>> 4) % 2 ? (['above', 103n] as const) : (['below', 97n] as const)
  const target = roundAmount((unitsOf(price, 'USDT') * hundredths) / 100n)
  const payload = { symbol, direction, price: textOf(target, 'USDT') }
  await callAs(context, user, 'setAlert', payload, key)
}

/** Notes a change of what the user has available. */
export function addTo(user: SimulatedUser, asset: AssetId, units: bigint): void {
  user.held?.set(asset, (user.held.get(asset) ?? 0n) + units)
}

export function unitsOf(text: string, asset: AssetId): bigint {
  return parseUnits(text, ASSET_DECIMALS[asset]) ?? 0n
}

export function textOf(units: bigint, asset: AssetId): string {
  return formatUnits(units, ASSET_DECIMALS[asset])
}

/** Keeps three digits, as people choose amounts. */
export function roundAmount(units: bigint): bigint {
  const rest = 10n ** BigInt(Math.max(0, units.toString().length - 3))
  return units - (units % rest)
}
