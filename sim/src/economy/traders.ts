import { quoteExactIn } from '@clearwell/rules/swap'
import { E18, type World } from './world.ts'

const SLIPPAGE_BPS = 50n

/** Honest accounts that trade as they need, in both directions, and accept half a per cent of slippage. */
export class Traders {
  readonly ids: readonly string[]
  readonly #world: World

  constructor(world: World, count: number) {
    this.#world = world
    this.ids = world.join(count)
    for (const id of this.ids) {
      world.give(id, 'USDT', 10_000_000n * E18)
      world.give(id, 'BNB', 20_000n * E18)
      world.activate(id)
    }
  }

  /** A day of each trader: some trades between 10 and 2,000 USDT, each followed by the arbitrageur. */
  trade(pool = 'bnb-usdt'): void {
    for (const id of this.ids) if (this.#world.random() < 0.7) this.tradeOnce(id, pool)
  }

  /** @param isArbitraged false where no arbitrageur brings the pool back to its spot price in time. */
  tradeOnce(id: string, pool: string, { isArbitraged = true } = {}): void {
    const world = this.#world
    const inverse = world.random() < 0.5
    const usdt = BigInt(Math.round(10 * 200 ** world.random() * 100)) * (E18 / 100n)
    const amountIn = inverse ? usdt : (usdt * E18) / (world.spotOf(pool) ?? world.mid(pool))
    const quote = quoteExactIn({
      reserves: world.reserves(pool),
      direction: inverse ? 'quote_to_base' : 'base_to_quote',
      amountIn,
      fees: world.swapRules.fees,
    })
    const minAmountOut = ((quote?.amountOut ?? 0n) * (10_000n - SLIPPAGE_BPS)) / 10_000n
    world.swap(id, { pool, inverse, amountIn, minAmountOut })
    if (isArbitraged) world.arbitrage(pool)
  }
}
