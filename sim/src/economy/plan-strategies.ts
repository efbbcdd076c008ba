import { mulDiv } from '@clearwell/money/mul-div'
import { DAY_MS } from '@clearwell/rules/spans'
import { PlannedSwaps } from './planned-swaps.ts'
import { NOTHING_GAINED, type Strategy } from './strategy.ts'
import { E18, World } from './world.ts'

const POOL = 'bnb-usdt'
const CAPITAL = 200_000n * E18
const VICTIMS = 10
const AMOUNT = 1_000n * E18
const DAYS = 5
/** The default of `plan.slippageBps`. */
const SLIPPAGE_BPS = 50n
const HOUR = 9

/** A world with victims who plan swaps, and an attacker's account with the capital. */
function worldWith(seed: number) {
  const world = new World(seed)
  const swaps = new PlannedSwaps(world)
  const victims = world.join(VICTIMS)
  const [trader = ''] = world.join()
  for (const id of [...victims, trader]) {
    world.give(id, 'USDT', CAPITAL)
    world.activate(id)
  }
  world.arbitrage(POOL)
  return { world, swaps, victims, trader, person: { accounts: [trader] } }
}

/** Buys before the runs of an hour, as far as `maxBps` of the price, and sells after them. No arbitrageur comes between. */
function aroundSchedules(seed: number, maxBps: number): bigint {
  const { world, swaps, victims, trader, person } = worldWith(seed)
  const ids = victims.map((id) => swaps.schedule(id, AMOUNT, HOUR))
  const before = world.wealth(person)
  for (let day = 0; day < DAYS; day++)
    for (const id of ids) {
      // His best case: he knows the moment.
      swaps.goToRun(id)
      const bps = BigInt(Math.round(1 + world.random() * maxBps))
      const amountIn = mulDiv(world.reserves(POOL).quote, bps, 20_000n, 'down')
      const push = world.swap(trader, { pool: POOL, inverse: true, amountIn })
      swaps.run(id)
      if (typeof push !== 'string') world.swap(trader, { pool: POOL, inverse: false, amountIn: push.bought })
      world.arbitrage(POOL)
    }
  return world.wealth(person) - before
}

const scheduleSandwich: Strategy = {
  name: 'schedule-sandwich',
  about: 'knows the moment of each scheduled run, buys before it within its slippage, and sells after it',
  capital: '200,000 USDT',
  bound: 'the slippage of the runs: 0.5%',
  holds: 'always',
  run: (seed) => ({
    gain: aroundSchedules(seed, Number(SLIPPAGE_BPS)),
    bound: mulDiv(AMOUNT * BigInt(VICTIMS * DAYS), SLIPPAGE_BPS, 10_000n, 'up'),
  }),
}

const scheduleSkip: Strategy = {
  name: 'schedule-skip',
  about: 'moves the pool before each scheduled run, so that the run is skipped, and trades back',
  capital: '200,000 USDT',
  bound: NOTHING_GAINED,
  holds: 'mean',
  run: (seed) => ({ gain: aroundSchedules(seed, 600), bound: 0n }),
}

/** A price above spot, in hundredths of a percent. */
const above = (world: World, bps: bigint) => mulDiv(world.spot.BNB, 10_000n + bps, 10_000n, 'up')

const limitPush: Strategy = {
  name: 'limit-push',
  about: 'buys until limits above the market are made, and sells what he bought',
  capital: '200,000 USDT',
  bound: NOTHING_GAINED,
  holds: 'mean',
  run(seed) {
    const { world, swaps, victims, trader, person } = worldWith(seed)
    const endsAt = new Date(world.ledger.now.getTime() + 30 * DAY_MS)
    for (const id of victims) {
      world.give(id, 'BNB', E18)
      const priceE18 = above(world, BigInt(Math.round(30 + world.random() * 300)))
      swaps.create(id, { inverse: false, amount: E18, wish: { kind: 'limit', priceE18, endsAt } })
    }
    const before = world.wealth(person)
    for (let each = 0; each < 5; each++) {
      const push = world.swap(trader, { pool: POOL, inverse: true, amountIn: CAPITAL / 2n })
      swaps.runLimits()
      if (typeof push !== 'string') world.swap(trader, { pool: POOL, inverse: false, amountIn: push.bought })
      swaps.runLimits()
      world.arbitrage(POOL)
    }
    return { gain: world.wealth(person) - before, bound: 0n }
  },
}

const limitFlood: Strategy = {
  name: 'limit-flood',
  about: 'plans 50 limits without balance in each of 4 accounts just above the market, and moves the pool through them',
  capital: '200,000 USDT',
  bound: NOTHING_GAINED,
  holds: 'always',
  run(seed) {
    const { world, swaps, trader, person } = worldWith(seed)
    const endsAt = new Date(world.ledger.now.getTime() + 30 * DAY_MS)
    const flood = world.join(4).flatMap((id) => {
      world.give(id, 'USDT', 10n * E18)
      world.activate(id)
      const wish = { kind: 'limit', priceE18: above(world, 40n), endsAt } as const
      return Array.from({ length: 50 }, () => swaps.create(id, { inverse: false, amount: E18, wish }))
    })
    const before = world.wealth(person)
    for (let each = 0; each < 3; each++) {
      const push = world.swap(trader, { pool: POOL, inverse: true, amountIn: CAPITAL / 10n })
      // Each ends at its first attempt, so later trades cost nothing.
      const commands = swaps.runLimits()
      const most = each === 0 ? flood.length : 0
      if (commands > most) throw new RangeError(`${commands} commands for limits, and ${most} are allowed`)
      if (typeof push !== 'string') world.swap(trader, { pool: POOL, inverse: false, amountIn: push.bought })
    }
    if (flood.some((id) => swaps.statusOf(id) !== 'ended')) throw new RangeError('a limit without balance did not end')
    return { gain: world.wealth(person) - before, bound: 0n }
  },
}

/** Strategies against users who plan swaps. A run throws if a victim loses more than his slippage. */
export default [scheduleSandwich, scheduleSkip, limitPush, limitFlood] satisfies readonly Strategy[]
