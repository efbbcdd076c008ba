import { createHash } from 'node:crypto'
import { CODES } from '@clearwell/api/codes'
import { DEMO_VISITOR_KEY } from '@clearwell/api/demo-visitor'
import { ASSET_DECIMALS, type AssetId } from '@clearwell/money/asset'
import { formatUnits, parseUnits } from '@clearwell/money/decimal'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { Clock } from '../../platform/time/clock.ts'
import { CallRefused, call, type LocalApi, signIn } from './local-account.ts'

/** Well before a session ends that was never used: not every step makes a call. */
const SESSION_MS = 5 * 86_400_000
const DEADLINE_MS = 600_000
/** A swap sells from 2 to 11 hundredths of a holding. */
const [LEAST_SOLD, MORE_SOLD] = [2n, 10n]

/** A user who makes the same calls as everyone, with a wallet that really signs. */
export interface SimulatedUser {
  readonly account: PrivateKeyAccount
  readonly inviter: SimulatedUser | undefined
  session?: {
    readonly token: string
    readonly inviteCode: string
    readonly isActivated: boolean
    readonly startedMs: number
  }
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

/** The same seed and number make the same account. */
export function createSimulatedUser(
  seed: number,
  index: number,
  { inviter, isVisitor }: { inviter: SimulatedUser | undefined; isVisitor: boolean },
): SimulatedUser {
  const key = createHash('sha256').update(`clearwell seed ${seed} user ${index}`).digest('hex')
  return { account: privateKeyToAccount(isVisitor ? DEMO_VISITOR_KEY : `0x${key}`), inviter }
}

/** Returns a token of the user, who signs in where the last session may have ended. */
export async function tokenOf(context: UserContext, user: SimulatedUser): Promise<string> {
  const nowMs = context.clock.now().getTime()
  if (!user.session || nowMs - user.session.startedMs > SESSION_MS) {
    const { token, user: profile } = await signIn(context, user.account, user.inviter?.session?.inviteCode)
    user.session = { token, inviteCode: profile.invite_code, isActivated: profile.activated, startedMs: nowMs }
  }
  return user.session.token
}

/** Reads what the user has available. */
export async function readHeld(context: UserContext, user: SimulatedUser): Promise<Map<AssetId, bigint>> {
  const balances = await call(context, 'balances', {}, await tokenOf(context, user))
  return new Map(balances.map(({ asset, available }) => [asset, unitsOf(available, asset)]))
}

/**
 * Sells a small part of a holding. @returns false where there is nothing to sell, or the pool does not trade now.
 *
 * @param chance decides the pool, the side and the amount.
 */
export async function swapSome(
  context: UserContext,
  user: SimulatedUser,
  { pools, chance, key }: { pools: readonly TradedPool[]; chance: number; key: string },
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
  try {
    const done = await call(context, 'doSwap', order, await tokenOf(context, user), key)
    held.set(sold, (held.get(sold) ?? 0n) - unitsOf(done.amount_in, sold))
    held.set(bought, (held.get(bought) ?? 0n) + unitsOf(done.amount_out, bought))
    return true
  } catch (error) {
    // Rarely: the pool would be pushed too far from the market, or does not trade at this moment.
    if (error instanceof CallRefused && error.code === CODES.trading_suspended.code) return false
    throw error
  }
}

/** Sets a price alert a few hundredths away from the market. */
export async function setSomeAlert(
  context: UserContext,
  user: SimulatedUser,
  { chance, key }: { chance: number; key: string },
): Promise<void> {
  const symbol = chance % 2 ? 'BNBUSDT' : 'ETHUSDT'
  const { price } = await call(context, 'spotTicker', { symbol })
  const [direction, hundredths] = (chance >>> 4) % 2 ? (['above', 103n] as const) : (['below', 97n] as const)
  const target = roundAmount((unitsOf(price, 'USDT') * hundredths) / 100n)
  const payload = { symbol, direction, price: textOf(target, 'USDT') }
  await call(context, 'setAlert', payload, await tokenOf(context, user), key)
}

function unitsOf(text: string, asset: AssetId): bigint {
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
