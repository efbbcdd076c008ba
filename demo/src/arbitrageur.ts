import { createHash } from 'node:crypto'
import { CODES } from '@clearwell/api/codes'
import type { AssetId } from '@clearwell/money/asset'
import { ASSET_DECIMALS } from '@clearwell/money/asset'
import { formatUnits, parseUnits } from '@clearwell/money/decimal'
import { planArbitrage } from '@clearwell/rules/arbitrage'
import { minAmountOut, type PoolReserves } from '@clearwell/rules/swap'
import type { PoolToFollow } from '@clearwell/server/src/domain/pools/market-followers.ts'
import type { Clock } from '@clearwell/server/src/platform/time/clock.ts'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { CallRefused, call, type LocalApi, signIn } from './calls.ts'

/** Everyone knows its key: it holds play money only. */
const account = privateKeyToAccount(`0x${createHash('sha256').update('clearwell arbitrageur').digest('hex')}`)
export const ARBITRAGEUR_ADDRESS = account.address

/** How far a pool may be from the market before the arbitrageur trades. */
const TOLERANCE_BPS = 100n
/** The slippage that the arbitrageur accepts between its quote and its swap, in basis points. */
const SLIPPAGE_BPS = 100n
/** One trade brings a pool to the market. More follow where the funds or the fee left it short. */
const MAX_TRADES_PER_POOL = 3
const DEADLINE_MS = 60_000

export interface Arbitrageur {
  /** Creates, funds and activates the account, unless that is done. */
  join(): Promise<void>
  /** Trades until the pools are near the market, or its funds end. Does nothing before it has joined. */
  follow(pools: readonly PoolToFollow[]): Promise<void>
}

/**
 * Keeps the pools of the local profile near the simulated market, as arbitrageurs do on real ones: an ordinary account
 * that signs in, pays into the vault, activates, and swaps through the calls that users make.
 *
 * @param deps.payIn pays the account's funds into the vault and has them credited.
 */
export function createArbitrageur(
  deps: LocalApi & { readonly clock: Clock; readonly payIn: (account: PrivateKeyAccount) => Promise<void> },
): Arbitrageur {
  let token: string | undefined

  async function join(): Promise<void> {
    const { token: fresh, user } = await signIn(deps, account)
    if (!user.activated) {
      // A process that was killed before the activation has paid already.
      const isFunded = (await call(deps, 'balances', {}, fresh)).some((each) => units(each.available, each.asset) > 0n)
      if (!isFunded) await deps.payIn(account)
      await call(deps, 'activeByBalance', {}, fresh)
    }
    // It trades more than any user, and the boards are for users.
    await call(deps, 'setRankVisibility', { hidden: 1 }, fresh)
    token = fresh
  }

  /** Brings one pool nearer to the market. Returns whether there may be more to do. */
  async function trade({ pool, reserves, spotE18 }: PoolToFollow, ownToken: string): Promise<boolean> {
    const balances = await call(deps, 'balances', {}, ownToken)
    const available = (asset: AssetId) => units(balances.find((each) => each.asset === asset)?.available ?? '0', asset)
    const funds = { base: available(pool.base), quote: available(pool.quote) }
    const plan = planArbitrage({ reserves, spotE18, toleranceBps: TOLERANCE_BPS, funds })
    if (!plan) return false
    const { inverse, amountIn } = plan
    const [sold, bought] = inverse ? [pool.quote, pool.base] : [pool.base, pool.quote]
    const order = { pool_id: pool.id, amount: formatUnits(amountIn, ASSET_DECIMALS[sold]), inverse }
    const { amount_out } = await call(deps, 'getQuote', order)
    const least = minAmountOut(units(amount_out, bought), SLIPPAGE_BPS)
    const min_amount_out = formatUnits(least, ASSET_DECIMALS[bought])
    const deadline = new Date(deps.clock.now().getTime() + DEADLINE_MS).toISOString()
    await call(deps, 'doSwap', { ...order, min_amount_out, deadline }, ownToken)
    return true
  }

  async function followOne(followed: PoolToFollow): Promise<void> {
    let { reserves } = followed
    for (let trades = 0; trades < MAX_TRADES_PER_POOL; trades++) {
      if (token === undefined || !isFar(followed, reserves)) return
      try {
        if (!(await trade({ ...followed, reserves }, token))) return
      } catch (error) {
        if (!(error instanceof CallRefused)) throw error
        // A refusal changes nothing, and the next look tries again.
        if (error.code !== CODES.sign_in_again.code) return
        token = (await signIn(deps, account)).token
        continue
      }
      const pair = (await call(deps, 'pairs', {})).find((each) => each.id === followed.pool.id)
      if (!pair || pair.suspended) return
      reserves = { base: units(pair.reserve_base, pair.base), quote: units(pair.reserve_quote, pair.quote) }
    }
  }

  return {
    join,
    async follow(pools) {
      for (const pool of pools) await followOne(pool)
    },
  }
}

/** Checked before any call, since a pool is nearly always near the market. */
function isFar({ spotE18 }: PoolToFollow, reserves: PoolReserves): boolean {
  return planArbitrage({ reserves, spotE18, toleranceBps: TOLERANCE_BPS, funds: reserves }) !== undefined
}

function units(text: string, asset: AssetId): bigint {
  return parseUnits(text, ASSET_DECIMALS[asset]) ?? 0n
}
