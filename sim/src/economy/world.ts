import type { Command } from '@clearwell/ledger/command'
import { Refusal } from '@clearwell/ledger/refusal'
import { MemoryLedger } from '@clearwell/ledger/testing/memory-ledger'
import type { AssetId } from '@clearwell/money/asset'
import { maxUnits, minUnits } from '@clearwell/money/min-max'
import { mulDiv } from '@clearwell/money/mul-div'
import { planArbitrage } from '@clearwell/rules/arbitrage'
import { HOUR_MS } from '@clearwell/rules/spans'
import { midPriceE18, type PoolReserves, quoteExactIn } from '@clearwell/rules/swap'
import { revenueShares } from '@clearwell/server/src/config/platform-config.ts'
import { inviters } from '@clearwell/server/src/domain/members/memberships.ts'
import { activateByBalance } from '@clearwell/server/src/features/activation/activate.ts'
import { executeSwap, type SwapResponse } from '@clearwell/server/src/features/swap/execute-swap.ts'
import { openPool, type PoolDefinition } from '@clearwell/server/src/features/swap/open-pool.ts'
import { bandAround, type PriceBand } from '@clearwell/server/src/features/swap/pool-breaker.ts'
import {
  poolAccount,
  RT_PROGRAM,
  TREASURY,
  USER_PLACES,
  userAccount,
} from '@clearwell/server/src/platform/ledger/accounts.ts'
import { fixedRule } from '@clearwell/server/src/testing/fixed-rule.ts'
import { POOLS, PRODUCTION, units } from './production.ts'

export const E18 = 10n ** 18n
/** Beyond anything that a strategy needs. */
const WEALTH = 10n ** 27n
const ARBITRAGEUR = account(0)
/** Moves the price of a pool by less than its band. */
const MOST_AT_ONCE = 50_000n * E18
const TOLERANCE_BPS = 30n
/** 00:00 in Hong Kong. */
const START = new Date('2027-01-31T16:00:00Z')

/** The id of an account: a wallet address. */
function account(number: number): string {
  return `0x${number.toString(16).padStart(40, '0')}`
}

/** A person and all accounts that act for it. */
export interface Person {
  readonly accounts: readonly string[]
}

/**
 * The product in memory: its ledger, pools and commands, with a virtual clock. The same seed gives the same world, so an
 * attack and the honest use of the same capital meet the same people.
 */
export class World {
  readonly ledger = new MemoryLedger(START)
  /** Numbers from 0 to 1, the same for the same seed. */
  readonly random: () => number
  readonly start = START
  /** In USDT at 10^18. RT has no market but its pool. */
  readonly spot: Record<'BNB' | 'ETH', bigint>
  readonly swapRules = {
    fees: { totalBps: BigInt(PRODUCTION.swap.feeBps), revenueBps: BigInt(PRODUCTION.swap.revenueBps) },
    revenueShares: revenueShares(PRODUCTION),
  }
  /** The same rules, as commands read them. */
  readonly ruled = { fees: fixedRule(this.swapRules.fees), revenueShares: fixedRule(this.swapRules.revenueShares) }
  readonly #parents = new Map<string, string>()
  readonly #lastHour = new Map<string, { at: Date; priceE18: bigint }[]>()
  readonly seed: number
  readonly #feesAtOwnPrice: boolean
  #accounts = 1

  /** @param old.feesAtOwnPrice an earlier rule: a fee made power by the price of the same swap. */
  constructor(seed: number, { feesAtOwnPrice = false } = {}) {
    this.seed = seed
    this.#feesAtOwnPrice = feesAtOwnPrice
    this.random = createRandom(seed)
    this.spot = { BNB: units('620'), ETH: units('3300') }
    const program = units(PRODUCTION.rt.program)
    this.ledger.add(RT_PROGRAM, 'RT', program)
    this.ledger.add(TREASURY, 'RT', units(PRODUCTION.rt.supply) - program)
    for (const pool of POOLS) {
      for (const [asset, amount] of [
        [pool.base, pool.initialBase],
        [pool.quote, pool.initialQuote],
      ] as const)
        if (asset !== 'RT') this.ledger.add(TREASURY, asset, amount)
      this.ledger.execute(openPool(pool))
    }
    this.#join(ARBITRAGEUR, undefined)
    for (const asset of ['USDT', 'BNB', 'ETH'] as const) this.give(ARBITRAGEUR, asset, WEALTH)
    this.activate(ARBITRAGEUR)
  }

  /** A standard normal number (Box-Muller). */
  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.random())) * Math.cos(2 * Math.PI * this.random())
  }

  /** Signs up accounts. @param more.parent their inviter. */
  join(count = 1, more: { readonly parent?: string } = {}): string[] {
    return Array.from({ length: count }, () => {
      const id = account(this.#accounts++)
      this.#join(id, more.parent)
      return id
    })
  }

  #join(id: string, parent: string | undefined): void {
    this.ledger.put(inviters, { id, parent_id: parent ?? null, invite_code: id, created_at: new Date(0) })
    if (parent !== undefined) this.#parents.set(id, parent)
  }

  parentOf(id: string): string | null {
    return this.#parents.get(id) ?? null
  }

  /** Money from outside. */
  give(id: string, asset: AssetId, amount: bigint): void {
    this.ledger.add(userAccount(id, 'available'), asset, amount)
  }

  available(id: string, asset: AssetId): bigint {
    return this.ledger.balance(userAccount(id, 'available'), asset)
  }

  /** Pays for the activation of an account from its balance. */
  activate(id: string): void {
    const { asset, amount } = PRODUCTION.activation
    const price = { asset: asset as AssetId, units: units(amount) }
    this.ledger.execute(
      activateByBalance({ price, opening: 'always', orderTtlMs: 1, terms: null }, { userId: id, key: undefined }),
    )
  }

  /** Moves money between accounts of one person outside of the product: a withdrawal and a deposit, without the gas. */
  move(from: string, to: string, asset: AssetId, amount: bigint): void {
    if (this.available(from, asset) < amount) throw new RangeError('the account has less than the amount')
    this.ledger.add(userAccount(from, 'available'), asset, -amount)
    this.ledger.add(userAccount(to, 'available'), asset, amount)
  }

  /** Runs a command, or returns the name of its refusal. */
  try<Result>(command: Command<Result>): Result | string {
    try {
      return this.ledger.execute(command)
    } catch (error) {
      if (error instanceof Refusal) return error.refusal
      throw error
    }
  }

  pool(id: string): PoolDefinition {
    const pool = POOLS.find((each) => each.id === id)
    if (!pool) throw new RangeError(`there is no pool ${id}`)
    return pool
  }

  reserves(poolId: string): PoolReserves {
    const { base, quote } = this.pool(poolId)
    const holder = poolAccount(poolId)
    return { base: this.ledger.balance(holder, base), quote: this.ledger.balance(holder, quote) }
  }

  mid(poolId: string): bigint {
    return midPriceE18(this.reserves(poolId)) ?? 0n
  }

  /** The price that a pool is compared with; `undefined` for RT. */
  spotOf(poolId: string): bigint | undefined {
    const { base } = this.pool(poolId)
    return base === 'BNB' || base === 'ETH' ? this.spot[base] : undefined
  }

  /** Buys the base asset for some USDT and sells it again. */
  roundTrip(id: string, usdt: bigint, pool = 'bnb-usdt'): void {
    const bought = this.swap(id, { pool, inverse: true, amountIn: usdt })
    if (typeof bought === 'string') throw new RangeError(`buying for ${usdt} was refused: ${bought}`)
    const sold = this.swap(id, { pool, inverse: false, amountIn: bought.bought })
    if (typeof sold === 'string') throw new RangeError(`selling was refused: ${sold}`)
  }

  /** Trades a volume of USDT in round trips that stay within the band. */
  tradeVolume(id: string, volume: bigint): void {
    for (let left = volume / 2n; left > 0n; left -= MOST_AT_ONCE)
      this.roundTrip(id, left < MOST_AT_ONCE ? left : MOST_AT_ONCE)
    // Fees of many trades move the price a little, until the arbitrageur comes.
    this.arbitrage('bnb-usdt')
  }

  /** Sells an amount in a pool. @returns what it bought, or the name of the refusal. */
  swap(
    id: string,
    { pool: poolId, inverse, amountIn, minAmountOut = 0n }: SwapOrder,
  ): { readonly bought: bigint; readonly response: SwapResponse } | string {
    const pool = this.pool(poolId)
    const asset = inverse ? pool.base : pool.quote
    const before = this.available(id, asset)
    const priceE18 = this.mid(poolId)
    const response = this.try(
      executeSwap(this.ruled, {
        userId: id,
        parentId: this.parentOf(id),
        pool,
        inverse,
        amountIn,
        minAmountOut,
        deadline: this.ledger.now,
        key: undefined,
        band: this.bandOf(poolId),
        marketE18: this.#feesAtOwnPrice ? undefined : (this.spotOf(poolId) ?? 0n),
      }),
    )
    if (typeof response === 'string') return response
    this.#remember(poolId, priceE18)
    return { bought: this.available(id, asset) - before, response }
  }

  /** The allowed prices: around the spot price, or around the pool's own last hour. */
  bandOf(poolId: string): PriceBand {
    const spot = this.spotOf(poolId)
    const { spotDeviationBps, hourMoveBps } = PRODUCTION.swap.breaker
    if (spot !== undefined) return bandAround({ lowestE18: spot, highestE18: spot }, BigInt(spotDeviationBps))
    const prices = [this.mid(poolId), ...this.#recent(poolId).map(({ priceE18 }) => priceE18)]
    const range = {
      lowestE18: prices.reduce(minUnits),
      highestE18: prices.reduce(maxUnits),
    }
    return bandAround(range, BigInt(hourMoveBps))
  }

  #recent(poolId: string) {
    const since = this.ledger.now.getTime() - HOUR_MS
    const recent = (this.#lastHour.get(poolId) ?? []).filter(({ at }) => at.getTime() >= since)
    this.#lastHour.set(poolId, recent)
    return recent
  }

  #remember(poolId: string, beforeE18: bigint): void {
    if (this.spotOf(poolId) === undefined)
      this.#recent(poolId).push(
        { at: this.ledger.now, priceE18: beforeE18 },
        { at: this.ledger.now, priceE18: this.mid(poolId) },
      )
  }

  /** Brings a pool near its spot price, as an arbitrageur does within seconds. */
  arbitrage(poolId: string): void {
    const spotE18 = this.spotOf(poolId)
    if (spotE18 === undefined) return
    const funds = { base: WEALTH, quote: WEALTH }
    const plan = planArbitrage({ reserves: this.reserves(poolId), spotE18, toleranceBps: TOLERANCE_BPS, funds })
    if (plan) this.swap(ARBITRAGEUR, { pool: poolId, inverse: plan.inverse === 1, amountIn: plan.amountIn })
  }

  /** The worth of an asset in USDT, in base units. RT counts at what the pool pays for all of it, after the fee. */
  worth(asset: AssetId, amount: bigint): bigint {
    if (asset === 'USDT' || amount === 0n) return amount
    if (asset !== 'RT') return mulDiv(amount, this.spot[asset], E18, 'down')
    const reserves = this.reserves('rt-usdt')
    const { fees } = this.swapRules
    return quoteExactIn({ reserves, direction: 'base_to_quote', amountIn: amount, fees })?.amountOut ?? 0n
  }

  /** Everything that a person owns in the ledger, in USDT. */
  wealth({ accounts }: Person): bigint {
    return (['USDT', 'BNB', 'ETH', 'RT'] as const).reduce((sum, asset) => {
      const holdings = accounts.flatMap((id) =>
        USER_PLACES.map((place) => this.ledger.balance(userAccount(id, place), asset)),
      )
      return (
        sum +
        this.worth(
          asset,
          holdings.reduce((total, each) => total + each, 0n),
        )
      )
    }, 0n)
  }

  /** The worth of the operator's liquidity and treasury, in USDT. */
  operatorWealth(): bigint {
    const pools = POOLS.flatMap(({ id, base, quote }) => [
      [poolAccount(id), base] as const,
      [poolAccount(id), quote] as const,
    ])
    const held = [...pools, ...(['USDT', 'BNB', 'ETH', 'RT'] as const).map((asset) => [TREASURY, asset] as const)]
    return held.reduce((sum, [holder, asset]) => {
      const amount = this.ledger.balance(holder, asset)
      // RT at its first price: his trades move the price, but no one pays it for so much.
      return sum + (asset === 'RT' ? amount / 10n : this.worth(asset, amount))
    }, 0n)
  }

  /** A moment of a day after the start, in Hong Kong. */
  timeOf(day: number, time: string): Date {
    const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number)
    return new Date(START.getTime() + ((day * 24 + hours) * 3_600 + minutes * 60 + seconds) * 1_000)
  }

  /** Moves the clock on. */
  goTo(day: number, time: string): void {
    const at = this.timeOf(day, time)
    if (at < this.ledger.now) throw new RangeError(`day ${day} ${time} is over`)
    this.ledger.now = at
  }
}

export interface SwapOrder {
  readonly pool: string
  /** Sells the quote asset. */
  readonly inverse: boolean
  readonly amountIn: bigint
  readonly minAmountOut?: bigint
}

/** Mulberry32. */
function createRandom(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
