import { mulDiv } from '@clearwell/money/mul-div'
import { NOTHING_GAINED, type Strategy } from './strategy.ts'
import { Traders } from './traders.ts'
import { E18, World } from './world.ts'

const POOL = 'bnb-usdt'
const CAPITAL = 200_000n * E18
const DAYS = 5

/** A world with honest traders, and an attacker's account with the capital. */
function worldWith(seed: number, { parent }: { readonly parent?: boolean } = {}) {
  const world = new World(seed)
  const traders = new Traders(world, 8)
  const inviter = parent ? world.join()[0] : undefined
  const [trader = ''] = world.join(1, inviter === undefined ? {} : { parent: inviter })
  const person = { accounts: inviter === undefined ? [trader] : [trader, inviter] }
  world.give(trader, 'USDT', CAPITAL)
  if (inviter !== undefined) {
    world.move(trader, inviter, 'USDT', 10n * E18)
    world.activate(inviter)
  }
  return { world, traders, trader, person }
}

const washReferral: Strategy = {
  name: 'wash-referral',
  about: 'trades with himself below an inviter of his own, for the referral shares',
  capital: '200,000 USDT',
  bound: NOTHING_GAINED,
  holds: 'always',
  run(seed) {
    const { world, traders, trader, person } = worldWith(seed, { parent: true })
    world.activate(trader)
    for (let day = 0; day < DAYS; day++) {
      world.goTo(day, '12:00')
      traders.trade()
      for (let each = 0; each < 5; each++) world.roundTrip(trader, CAPITAL / 10n)
    }
    return { gain: world.wealth(person) - CAPITAL, bound: 0n }
  },
}

/** The same trades that a user needs, with and without an inviter of his own. */
function neededTrades(seed: number, parent: boolean): { readonly left: bigint; readonly fees: bigint } {
  const { world, traders, trader, person } = worldWith(seed, { parent })
  world.activate(trader)
  let volume = 0n
  for (let day = 0; day < DAYS; day++) {
    world.goTo(day, '12:00')
    traders.trade()
    for (let each = 0; each < 5; each++) {
      world.roundTrip(trader, CAPITAL / 10n)
      volume += CAPITAL / 5n
    }
  }
  return { left: world.wealth(person), fees: mulDiv(volume, world.swapRules.fees.revenueBps, 10_000n, 'up') }
}

const ownInviter: Strategy = {
  name: 'own-inviter',
  about: 'trades as needed, below an inviter of his own',
  capital: '200,000 USDT',
  bound: 'the referral part of the own fees: 6.4%',
  holds: 'always',
  run(seed) {
    const attack = neededTrades(seed, true)
    const honest = neededTrades(seed, false)
    const { referral } = new World(seed).swapRules.revenueShares
    return { gain: attack.left - honest.left, bound: mulDiv(attack.fees, referral, 10_000n, 'up') }
  },
}

/** Sells USDT for BNB, in one order or in many at the same moment. */
function sale(seed: number, { amount, parts }: { readonly amount: bigint; readonly parts: number }): bigint {
  const { world, traders, trader, person } = worldWith(seed)
  world.activate(trader)
  traders.trade()
  for (let each = 0; each < parts; each++)
    world.swap(trader, { pool: POOL, inverse: true, amountIn: amount / BigInt(parts) })
  return world.wealth(person)
}

const splitOrder: Strategy = {
  name: 'split-order',
  about: 'splits a trade into 200 orders of the same moment',
  capital: '200,000 USDT',
  bound: NOTHING_GAINED,
  holds: 'always',
  run(seed) {
    const amount = CAPITAL / 2n
    return { gain: sale(seed, { amount, parts: 200 }) - sale(seed, { amount, parts: 1 }), bound: 0n }
  },
}

const dustOrders: Strategy = {
  name: 'dust-swaps',
  about: 'makes 2,000 trades so small that the revenue part of their fee rounds to nothing',
  capital: '200,000 USDT',
  bound: NOTHING_GAINED,
  holds: 'always',
  run(seed) {
    const parts = 2_000
    // Below 1,250 units the part of 0.08 % is less than one unit.
    const amount = BigInt(parts) * 1_249n
    const { world, trader, person } = worldWith(seed)
    world.activate(trader)
    const before = world.wealth(person)
    for (let each = 0; each < parts; each++) {
      const inverse = each % 2 === 0
      world.swap(trader, { pool: POOL, inverse, amountIn: inverse ? amount / BigInt(parts) : 2n })
    }
    return { gain: world.wealth(person) - before, bound: 0n }
  },
}

/**
 * Moves a pool within its band, lets one honest trade go first, and trades back. No arbitrageur is fast enough to bring
 * the pool back meanwhile, which is the attacker's best case.
 */
function pushAndReturn(seed: number, { pool, maxBps }: { readonly pool: string; readonly maxBps: number }): bigint {
  const { world, traders, trader, person } = worldWith(seed)
  world.give(trader, 'USDT', 2_000_000n * E18)
  if (pool === 'rt-usdt') for (const id of traders.ids) world.swap(id, { pool, inverse: true, amountIn: 2_000n * E18 })
  world.activate(trader)
  const before = world.wealth(person)
  for (let round = 0; round < 10; round++) {
    // Half of the move of the price is the part of the reserve that has to be bought.
    const bps = BigInt(Math.round(1 + world.random() * maxBps))
    const push = world.swap(trader, { pool, inverse: true, amountIn: (world.reserves(pool).quote * bps) / 20_000n })
    const victim = traders.ids[Math.floor(world.random() * traders.ids.length)] ?? ''
    traders.tradeOnce(victim, pool, { isArbitraged: false })
    if (typeof push !== 'string') world.swap(trader, { pool, inverse: false, amountIn: push.bought })
    world.arbitrage(pool)
    world.ledger.advance(7_200)
  }
  return world.wealth(person) - before
}

const bandPush: Strategy = {
  name: 'band-push',
  about: 'moves a pool within its band of 10%, waits for one honest trade, and trades back',
  capital: '2,200,000 USDT',
  bound: NOTHING_GAINED,
  holds: 'mean',
  run: (seed) => ({ gain: pushAndReturn(seed, { pool: POOL, maxBps: 950 }), bound: 0n }),
}

const rtPump: Strategy = {
  name: 'rt-pump',
  about: 'does the same with RT, which has no market but its pool, by up to a quarter',
  capital: '2,200,000 USDT',
  bound: NOTHING_GAINED,
  holds: 'mean',
  run: (seed) => ({ gain: pushAndReturn(seed, { pool: 'rt-usdt', maxBps: 2_500 }), bound: 0n }),
}

export default [washReferral, ownInviter, splitOrder, dustOrders, bandPush, rtPump] satisfies readonly Strategy[]
