import { DEFAULT_BOX_RULES } from '@clearwell/rules/box-rules'
import { REWARDS } from '@clearwell/server/src/platform/ledger/accounts.ts'
import type { MembershipRow } from '@clearwell/server/src/platform/ledger/memberships.ts'
import { memberships } from '@clearwell/server/src/platform/ledger/memberships.ts'
import { BoxDays, type DayPolicy, type DrawnBox, type OldBoxRules, operatorWealth } from './box-days.ts'
import { createRandom } from './random.ts'
import { NOTHING_GAINED, type Strategy } from './strategy.ts'
import { E18, World } from './world.ts'

/** Fees of a day count for thirty days, so boxes of forty days return all of ten days of trades. */
const TRADING_DAYS = 10
const DAYS = 40
/** In `rewards` before the first day: more than the fees of a month bring in, so that the pot never limits a day. */
const FULL_POT = [
  ['USDT', 120_000n * E18],
  ['BNB', 200n * E18],
  ['RT', 1_000_000n * E18],
] as const

interface Plan {
  /** Every box draws ×1, where the luck of the draws would only hide a gain. */
  readonly isFlat?: boolean
  /** The part of the honest accounts that click on a day; all by default. */
  readonly clicking?: number
  readonly seed: number
  /** Honest accounts that trade and click every day, and the volume of each in USDT a day. */
  readonly honest: number
  readonly honestVolume: bigint
  readonly old?: OldBoxRules
  readonly policy?: DayPolicy
  readonly days?: number
  /** Prepares the attacker. */
  begin?(world: World): void
  /** The attacker's part of a day, before the honest accounts. */
  day?(world: World, boxes: BoxDays, day: number): void
  /** The attacker's last minute, after the honest accounts. */
  late?(boxes: BoxDays): void
}

/** Runs honest accounts and an attacker through days of trading and clicking. */
function runDays({
  seed,
  honest,
  honestVolume,
  old,
  policy,
  days = DAYS,
  clicking = 1,
  isFlat = false,
  begin,
  day,
  late,
}: Plan): World {
  const world = new World(seed)
  const rules = isFlat ? { ...DEFAULT_BOX_RULES, odds: [{ factor: 1, tickets: 100 }] } : DEFAULT_BOX_RULES
  const boxes = new BoxDays(world, { old: old ?? {}, rules })
  for (const [asset, pot] of FULL_POT) world.ledger.add(REWARDS, asset, pot)
  const ids = world.join(honest)
  for (const id of ids) {
    world.give(id, 'USDT', 100_000_000n * E18)
    world.activate(id)
  }
  begin?.(world)
  for (let index = 0; index < days; index++) {
    world.goTo(index, '00:00:30')
    day?.(world, boxes, index)
    if (world.ledger.now.getTime() < world.timeOf(index, '23:30').getTime()) world.goTo(index, '23:30')
    for (const id of ids) {
      world.tradeVolume(id, honestVolume)
      if (clicking === 1 || world.random() < clicking) boxes.click(id)
    }
    late?.(boxes)
    world.goTo(index + 1, '00:00')
    boxes.end(policy)
  }
  return world
}

/** Gives an account the highest level, as if its whole tree had been there before. */
function raise(world: World, id: string): void {
  const row: MembershipRow = { id, level: 5, leads_0: 5, leads_1: 5, leads_2: 5, leads_3: 5, leads_4: 5 }
  world.ledger.put(memberships, row)
}

/** The capital of an operator's inviter: its activation. */
const INVITER = 10n * E18

/** Adds an attacker with some capital. */
function attackers(
  world: World,
  more: { readonly count?: number; readonly capital: bigint; readonly parent?: string },
): string[] {
  const { count = 1, capital, parent } = more
  const ids = world.join(count, parent === undefined ? {} : { parent })
  for (const id of ids) {
    world.give(id, 'USDT', capital / BigInt(count))
    world.activate(id)
  }
  return ids
}

interface Wash {
  readonly honest: number
  readonly honestVolume: bigint
  readonly volume: bigint
  readonly accounts?: number
  readonly tradingDays?: number
  readonly days?: number
  readonly isOperator?: boolean
  readonly old?: OldBoxRules
}

/** Trades with himself for some days, and clicks for a month more. @returns what is left beyond doing nothing. */
export function washForBoxes(seed: number, wash: Wash): bigint {
  const {
    honest,
    honestVolume,
    volume,
    accounts = 1,
    tradingDays = TRADING_DAYS,
    days = 30 + tradingDays,
    isOperator = false,
    old = {},
  } = wash
  const capital = 10_000_000n * E18
  let ids: string[] = []
  let owned: string[] = []
  const plan = { seed, honest, honestVolume, old, days, isFlat: isOperator }
  const world = runDays({
    ...plan,
    begin(each) {
      const inviters = isOperator ? attackers(each, { capital: INVITER }) : []
      ids = attackers(each, { count: accounts, capital, ...(inviters[0] !== undefined && { parent: inviters[0] }) })
      owned = [...inviters, ...ids]
      if (isOperator) for (const id of ids) raise(each, id)
    },
    day(each, boxes, day) {
      for (const id of ids) {
        if (day < tradingDays) each.tradeVolume(id, volume / BigInt(accounts))
        boxes.click(id)
      }
    },
  })
  const left = world.wealth({ accounts: owned }) - capital
  if (!isOperator) return left
  // The liquidity and the treasury are his too: more than they would be worth without his trades.
  return left - INVITER + operatorWealth(world) - operatorWealth(runDays(plan))
}

export const LONE = { honest: 0, honestVolume: 0n, volume: 2_500n * E18 }

const loneClicker: Strategy = {
  name: 'lone-clicker',
  about: 'clicks alone on a pot of 240,000 USDT with a few fees',
  capital: '10,000,000 USDT',
  bound: NOTHING_GAINED,
  holds: 'always',
  run: (seed) => ({ gain: washForBoxes(seed, LONE), bound: 0n }),
}

const AMONG_OTHERS = { honest: 8, honestVolume: 20_000n * E18, volume: 200_000n * E18 }

const washBoxes: Strategy = {
  name: 'wash-boxes',
  about: 'trades with himself for the blind boxes',
  capital: '10,000,000 USDT',
  bound: NOTHING_GAINED,
  holds: 'always',
  run: (seed) => ({ gain: washForBoxes(seed, AMONG_OTHERS), bound: 0n }),
}

const washOperator: Strategy = {
  name: 'wash-operator',
  about:
    'as the operator who owns the liquidity: trades with himself on a hidden account of the highest level and streak',
  capital: '10,000,000 USDT and the pools',
  bound: NOTHING_GAINED,
  holds: 'always',
  run(seed) {
    // The smaller his part of all fees, the more of his factors others pay.
    const volume = BigInt(Math.round(2_000 * 100 ** createRandom(seed)())) * E18
    return { gain: washForBoxes(seed, { ...AMONG_OTHERS, volume, isOperator: true }), bound: 0n }
  },
}

/** Fees of one person, paid by one account or by a hundred. */
function split(seed: number, { volume, accounts }: { readonly volume: bigint; readonly accounts: number }): bigint {
  return washForBoxes(seed, { honest: 8, honestVolume: 20_000n * E18, volume, accounts, tradingDays: 4, days: 12 })
}

const hundredAccounts: Strategy = {
  name: 'hundred-accounts',
  about: 'spreads the trades that he needs over a hundred accounts',
  capital: '10,000,000 USDT',
  bound: NOTHING_GAINED,
  holds: 'mean',
  run(seed) {
    const volume = 20_000n * E18
    return { gain: split(seed, { volume, accounts: 100 }) - split(seed, { volume, accounts: 1 }), bound: 0n }
  },
}

function whale(seed: number, accounts: number): bigint {
  return washForBoxes(seed, { honest: 8, honestVolume: 250_000n * E18, volume: 2_000_000n * E18, accounts })
}

/** Half of the revenue part of the fees of ten days of 400,000 USDT: all that their boxes can bring. */
const OWN_REWARDS = (10n * 400_000n * E18 * 8n) / 20_000n

const emptyAccounts: Strategy = {
  name: 'empty-accounts',
  about: 'clicks with a hundred accounts that paid no fees',
  capital: '10,000,000 USDT',
  bound: NOTHING_GAINED,
  holds: 'always',
  run: (seed) => ({ gain: emptyClicks(seed), bound: 0n }),
}

export function emptyClicks(seed: number, old: OldBoxRules = {}): bigint {
  return washForBoxes(seed, {
    honest: 8,
    honestVolume: 200_000n * E18,
    volume: 0n,
    accounts: 100,
    tradingDays: 1,
    days: 14,
    old,
  })
}

/** Steps of an hour within the band of RT, which has no spot price: 30 % from any price of the last hour. */
const UP_STEPS = 6

/** Raises the price of RT hour by hour, and sells again in steps: the fees of the sales count at his own prices. */
function pumpRt(
  world: World,
  id: string,
  day: number,
  { up, down }: { readonly up: number; readonly down: number },
): void {
  const pool = 'rt-usdt'
  let hour = 0
  let bought = 0n
  const scaled = (amount: bigint, factor: number) => (amount * BigInt(Math.round((factor - 1) * 1e6))) / 1_000_000n
  for (; hour < UP_STEPS; hour++) {
    world.goTo(day, `${hour}:${hour + 1}`)
    const amountIn = scaled(world.reserves(pool).quote, Math.sqrt(up))
    const result = world.swap(id, { pool, inverse: true, amountIn })
    if (typeof result !== 'string') bought += result.bought
  }
  for (; bought > 0n && hour < 23; hour++) {
    world.goTo(day, `${hour}:${hour + 1}`)
    const most = scaled(world.reserves(pool).base, Math.sqrt(1 / down))
    const amountIn = bought < most ? bought : most
    const result = world.swap(id, { pool, inverse: false, amountIn })
    if (typeof result !== 'string') bought -= amountIn
  }
}

/** An operator's hidden account makes power at raised RT prices. @returns his gain beyond the same world without it. */
function washInRt(seed: number, { up, pumps }: { readonly up: number; readonly pumps: number }): bigint {
  const capital = 10_000_000n * E18
  const plan = { seed, honest: 8, honestVolume: 500_000n * E18, days: 33, isFlat: true }
  let owned: string[] = []
  const world = runDays({
    ...plan,
    begin(each) {
      const [inviter = ''] = attackers(each, { capital: INVITER })
      const [id = ''] = attackers(each, { capital, parent: inviter })
      raise(each, id)
      owned = [id, inviter]
    },
    day(each, boxes, day) {
      const [id = ''] = owned
      boxes.click(id)
      if (day < pumps) pumpRt(each, id, day, { up, down: 0.72 })
    },
  })
  const left = world.wealth({ accounts: owned }) - capital - INVITER
  return left + operatorWealth(world) - operatorWealth(runDays(plan))
}

/** A hidden account of the operator among equal honest ones, and how he ends the days. */
function operatorDays(
  seed: number,
  more: {
    readonly policy?: (own: string) => DayPolicy
    readonly old?: OldBoxRules
    readonly others: number
    readonly days?: number
  },
) {
  const { policy, old, others, days = 30 } = more
  let own = ''
  const volume = 20_000n * E18
  const world = new World(seed)
  own = world.join(others + 1).at(-1) ?? ''
  const run = runDays({
    seed,
    honest: others,
    honestVolume: volume,
    days,
    ...(old && { old }),
    ...(policy && { policy: policy(own) }),
    begin: (each) => void attackers(each, { capital: 1_000_000n * E18 }),
    day(each, boxes) {
      each.tradeVolume(own, volume)
      boxes.click(own)
    },
  })
  return run.wealth({ accounts: [own] }) + operatorWealth(run)
}

const shareOf = (own: string, drawn: readonly DrawnBox[]) => {
  const total = drawn.reduce((sum, { power }) => sum + power, 0n)
  const power = drawn.find(({ owner }) => owner === own)?.power ?? 0n
  return total === 0n ? 0 : Number((power * 1_000_000n) / total) / 1_000_000
}

/** Publishes the seed only on days on which his box draws more than a part of its fair share. */
export function withholdSeed(
  seed: number,
  { others, threshold, old, days = 30 }: { others: number; threshold: number; old?: OldBoxRules; days?: number },
): bigint {
  const fair = 1 / (others + 1)
  const policy = (own: string): DayPolicy => ({
    reveals: (drawn) => shareOf(own, drawn) === 0 || shareOf(own, drawn) >= threshold * fair,
  })
  const rules = { days, ...(old && { old }) }
  return operatorDays(seed, { others, policy, ...rules }) - operatorDays(seed, { others, ...rules })
}

/** The times of the ladder, in minutes after the day's end. */
const LADDER = [30, 120, 360, 720, 1_440] as const

/** Publishes the root only after a block that would have been bad for him; or, by the old rule, for the best of twelve blocks. */
export function delayRoot(seed: number, old?: OldBoxRules): bigint {
  const others = 9
  const policy = (own: string): DayPolicy => ({
    rootMinutes(drawsOf) {
      if (old?.anyBlock) {
        const minutes = Array.from({ length: 12 }, (_, index) => index + 1)
        return minutes.reduce((best, each) => (shareOf(own, drawsOf(each)) > shareOf(own, drawsOf(best)) ? each : best))
      }
      const missed = LADDER.find((minutes) => shareOf(own, drawsOf(minutes)) < 1 / (others + 1)) ?? 720
      return Math.min(missed + 1, 1_440 - 10)
    },
  })
  const rules = old && { old }
  return operatorDays(seed, { others, policy, ...rules }) - operatorDays(seed, { others, ...rules })
}

/** The wealth of a trader whose own leads are accounts that he pays for. */
function ownLeads(seed: number, leads: number) {
  const capital = 10_000_000n * E18
  const volume = 400_000n * E18
  let owned: string[] = []
  const world = runDays({
    seed,
    honest: 8,
    honestVolume: volume,
    isFlat: true,
    begin(each) {
      const [id = ''] = attackers(each, { capital })
      owned = [id]
      for (let index = 0; index < leads; index++) owned.push(...attackers(each, { capital: INVITER, parent: id }))
    },
    day(each, boxes, day) {
      const [id = ''] = owned
      if (day < TRADING_DAYS) each.tradeVolume(id, volume)
      boxes.click(id)
    },
  })
  return world.wealth({ accounts: owned }) - BigInt(leads) * INVITER
}

/** Clicks only on days on which few others do, or every day. */
function quietDays(seed: number, waits: boolean): bigint {
  const capital = 10_000_000n * E18
  const volume = 20_000n * E18
  const honest = 12
  let id = ''
  const world = runDays({
    seed,
    honest,
    honestVolume: volume,
    clicking: 0.5,
    begin: (each) => void (id = attackers(each, { capital })[0] ?? ''),
    day: (each, _boxes, day) => day < TRADING_DAYS && each.tradeVolume(id, volume),
    late: (boxes) => (!waits || boxes.clicks < honest / 2) && boxes.click(id),
  })
  return world.wealth({ accounts: [id] })
}

const washRt: Strategy = {
  name: 'wash-rt-operator',
  about: 'as that operator, makes power by selling RT at a price that he has raised',
  capital: '10,000,000 USDT and the pools',
  bound: NOTHING_GAINED,
  holds: 'always',
  open: 'the power of a fee counts the price of its own swap, which a trader of RT can raise',
  run: (seed) => ({ gain: washInRt(seed, { up: 1.28, pumps: 2 }), bound: 0n }),
}

export const BOX_STRATEGIES: readonly Strategy[] = [
  loneClicker,
  washBoxes,
  washOperator,
  hundredAccounts,
  emptyAccounts,
  washRt,
  {
    name: 'whale-accounts',
    about: 'spreads half of all trades over twenty accounts, whose draws even out',
    capital: '10,000,000 USDT',
    bound: NOTHING_GAINED,
    holds: 'mean',
    open: 'the mean of many small draws is worth more than one large draw',
    run: (seed) => ({ gain: whale(seed, 20) - whale(seed, 1), bound: 0n }),
  },
  {
    name: 'withheld-seed',
    about: 'as the operator with one box of ten, keeps the seed of bad days back',
    capital: 'the operator',
    bound: NOTHING_GAINED,
    holds: 'mean',
    run: (seed) => ({ gain: withholdSeed(seed, { others: 9, threshold: 0.9 }), bound: 0n }),
  },
  {
    name: 'withheld-seed-half',
    about: 'does the same with half of the power',
    capital: 'the operator',
    bound: NOTHING_GAINED,
    holds: 'mean',
    run: (seed) => ({ gain: withholdSeed(seed, { others: 1, threshold: 0.9 }), bound: 0n }),
  },
  {
    name: 'late-root',
    about: 'as the operator, publishes the root after a block that would have been bad for his box',
    capital: 'the operator',
    bound: NOTHING_GAINED,
    holds: 'mean',
    run: (seed) => ({ gain: delayRoot(seed), bound: 0n }),
  },
  {
    name: 'own-leads',
    about: 'pays for five leads of his own, for the first membership level',
    capital: '10,000,000 USDT',
    bound: 'the level: 2 % of the own rewards',
    holds: 'always',
    run(seed) {
      const alone = ownLeads(seed, 0)
      return { gain: ownLeads(seed, 5) - alone, bound: OWN_REWARDS / 50n }
    },
  },
  {
    name: 'quiet-days',
    about: 'clicks only on days on which few others click',
    capital: '10,000,000 USDT',
    bound: NOTHING_GAINED,
    holds: 'mean',
    run: (seed) => ({ gain: quietDays(seed, true) - quietDays(seed, false), bound: 0n }),
  },
]
