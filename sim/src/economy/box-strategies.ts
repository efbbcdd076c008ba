import { DEFAULT_BOX_RULES } from '@clearwell/rules/box-rules'
import { highestGainOfSpreading } from '@clearwell/rules/box-spread'
import type { OldBoxRules } from './box-days.ts'
import { delayRoot, washInRt, withholdSeed } from './box-operator.ts'
import { attackers, INVITER, runDays, TRADING_DAYS, washForBoxes } from './box-runs.ts'
import { NOTHING_GAINED, type Strategy } from './strategy.ts'
import { E18, World } from './world.ts'

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
    const volume = BigInt(Math.round(2_000 * 100 ** new World(seed).random())) * E18
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

/** Half of the revenue part of the fees of ten days of a volume: all that their boxes bring on average. */
const rewardsOf = (volume: bigint) => (BigInt(TRADING_DAYS) * volume * 8n) / 20_000n

const WHALE_VOLUME = 2_000_000n * E18

function whale(seed: number, accounts: number): bigint {
  return washForBoxes(seed, { honest: 8, honestVolume: WHALE_VOLUME / 8n, volume: WHALE_VOLUME, accounts })
}

/** Of the rewards of one account: together, very many accounts get {@link rewardsOf} the volume. */
function boundOfSpreading(): bigint {
  const { gain } = highestGainOfSpreading(DEFAULT_BOX_RULES.odds)
  return (rewardsOf(WHALE_VOLUME) * BigInt(Math.round((gain / (1 + gain)) * 1e6))) / 1_000_000n
}

const LEADER_VOLUME = 400_000n * E18

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

/** The wealth of a trader whose own leads are accounts that he pays for. */
function ownLeads(seed: number, leads: number) {
  const capital = 10_000_000n * E18
  const volume = LEADER_VOLUME
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
    begin(each) {
      id = attackers(each, { capital })[0] ?? ''
    },
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
  run: (seed) => ({ gain: washInRt(seed, { up: 1.28, pumps: 2 }), bound: 0n }),
}

export default [
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
    bound: 'the concave share: 8.9% of the own rewards',
    holds: 'mean',
    run: (seed) => ({ gain: whale(seed, 20) - whale(seed, 1), bound: boundOfSpreading() }),
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
    bound: 'the level: 2% of the own rewards',
    holds: 'always',
    run(seed) {
      const alone = ownLeads(seed, 0)
      return { gain: ownLeads(seed, 5) - alone, bound: rewardsOf(LEADER_VOLUME) / 50n }
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
] satisfies readonly Strategy[]
