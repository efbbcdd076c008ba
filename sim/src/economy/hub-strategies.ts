import type { RichRules } from '@clearwell/server/src/features/rich/rich.config.ts'
import { USER_PLACES, userAccount } from '@clearwell/server/src/platform/ledger/accounts.ts'
import { HubDays } from './hub-days.ts'
import { NOTHING_GAINED, type Strategy } from './strategy.ts'
import { E18, World } from './world.ts'

const DAYS = 20
/** Of the first price of RT, at which its pool opens: one tenth of a USDT. */
const RT_PER_USDT = 10n

interface Hub {
  readonly world: World
  readonly hub: HubDays
}

interface Holding {
  readonly seed: number
  /** Honest accounts with the second star. */
  readonly others?: number
  readonly days?: number
  readonly rules?: Partial<RichRules>
  /** Signs up the attacker's accounts. */
  begin(hub: Hub): readonly string[]
  /** The attacker's part of a day: in its first minute, and again in its last. */
  day?(hub: Hub, ids: readonly string[], day: number, when: 'early' | 'late'): void
}

/** Runs the hub for some days. @returns the attacker's RT and USDT at the end, in USDT, beyond those of the beginning. */
function runHub({ seed, others = 20, days = DAYS, rules = {}, begin, day }: Holding): bigint {
  const world = new World(seed)
  const hub = new HubDays(world, rules)
  const honest = hub.join(others, 200n * E18)
  for (const id of honest) hub.deposit(id, 200n * E18)
  const ids = begin({ world, hub })
  const before = worth(world, ids)
  for (let index = 0; index < days; index++) {
    world.goTo(index, '00:01')
    day?.({ world, hub }, ids, index, 'early')
    for (const id of honest) hub.request(id)
    world.goTo(index, '23:59')
    day?.({ world, hub }, ids, index, 'late')
    world.goTo(index + 1, '00:00')
    hub.endDay()
  }
  for (const id of ids) hub.collect(id)
  // Every account of the attacker paid for its activation before.
  return worth(world, ids) - before - BigInt(ids.length) * 10n * E18
}

function worth(world: World, ids: readonly string[]): bigint {
  const of = (asset: 'RT' | 'USDT') =>
    ids
      .flatMap((id) => USER_PLACES.map((place) => world.ledger.balance(userAccount(id, place), asset)))
      .reduce((sum, each) => sum + each, 0n)
  return of('RT') / RT_PER_USDT + of('USDT')
}

const capitalOf = (star: number) => 100n * E18 * 2n ** BigInt(star - 1)

/** The honest use: one account that asks for the next star on every day on which it may. */
function holdStar(seed: number, star: number, more: Partial<Holding> = {}): bigint {
  return runHub({
    seed,
    begin({ hub }) {
      const ids = hub.join(1, capitalOf(star))
      for (const id of ids) hub.deposit(id, capitalOf(star))
      return ids
    },
    day: ({ hub }, ids, _day, when) => when === 'early' && ids.forEach((id) => void hub.request(id)),
    ...more,
  })
}

/** The first holder alone, and the same holder among many. */
export function firstStar(seed: number, rules: Partial<RichRules> = {}): bigint {
  return holdStar(seed, 1, { others: 0, rules }) - holdStar(seed, 1, { others: 100, rules })
}

/** Takes a star in the last minute of each day that it can, and gives notice in the first minute of the next. */
function lateStar(seed: number): bigint {
  return runHub({
    seed,
    begin: ({ hub }) => hub.join(10, 100n * E18),
    day({ hub }, ids, day, when) {
      for (const id of ids) {
        if (when === 'late' && day % 8 === 0) {
          hub.deposit(id, 100n * E18)
          hub.request(id)
        }
        if (when === 'early' && day % 8 === 1) hub.stepDown(id)
      }
    },
  })
}

/** A lone star, with a hundred accounts that deposit RT and ask for no star. */
function bareDeposits(seed: number): bigint {
  const attack = runHub({
    seed,
    begin({ hub }) {
      const ids = [...hub.join(1, 100n * E18), ...hub.join(100, 25_600n * E18)]
      ids.forEach((id, index) => void hub.deposit(id, index === 0 ? 100n * E18 : 25_600n * E18))
      return ids
    },
    day: ({ hub }, [star = ''], _day, when) => when === 'early' && void hub.request(star),
  })
  return attack - holdStar(seed, 1)
}

/** Many accounts with the first star, or one with all of the deposit. */
function splitStars(seed: number): bigint {
  const attack = runHub({
    seed,
    begin({ hub }) {
      const ids = hub.join(64, 100n * E18)
      for (const id of ids) hub.deposit(id, 100n * E18)
      return ids
    },
    day: ({ hub }, ids, day, when) => when === 'early' && day === 0 && ids.forEach((id) => void hub.request(id)),
  })
  return attack - holdStar(seed, 7)
}

/** A second account as the parent, who approves each request of the first immediately, on every day. */
function ownParent(seed: number): bigint {
  const star = 9
  let parent = ''
  const attack = runHub({
    seed,
    begin({ hub }) {
      const [first = ''] = hub.join(1, 0n)
      parent = first
      const ids = hub.join(1, capitalOf(star), { parent })
      for (const id of ids) hub.deposit(id, capitalOf(star))
      return [...ids, parent]
    },
    day: ({ hub }, [id = '']) => hub.raiseByParent(id, parent),
  })
  return attack - holdStar(seed, star)
}

/** A parent with a star leaves the requests of twenty children without a response, or approves them immediately. */
function silentParent(seed: number): bigint {
  const parentOf = (answers: boolean) => {
    let children: readonly string[] = []
    return runHub({
      seed,
      others: 0,
      begin({ hub }) {
        const [parent = ''] = hub.join(1, 6_400n * E18)
        hub.deposit(parent, 6_400n * E18)
        return [parent]
      },
      day({ hub }, [parent = ''], day, when) {
        if (when === 'late') return
        hub.request(parent)
        if (day === 0) {
          children = hub.join(20, 1_600n * E18, { parent })
          for (const child of children) hub.deposit(child, 1_600n * E18)
        }
        for (const child of children) {
          if (answers) hub.raiseByParent(child, parent)
          else hub.request(child)
        }
      },
    })
  }
  return parentOf(false) - parentOf(true)
}

/** Steps down and comes back in turns, or holds the star. */
function stepAndReturn(seed: number): bigint {
  const attack = holdStar(seed, 3, {
    day({ hub }, ids, day, when) {
      for (const id of ids) {
        if (when === 'early') {
          hub.deposit(id, capitalOf(3))
          hub.request(id)
        }
        if (when === 'late' && day % 10 === 5) hub.stepDown(id)
      }
    },
  })
  return attack - holdStar(seed, 3)
}

/** A line of fifty accounts below each other, each of which approves the next, or one account with all of the deposit. */
function deepLine(seed: number): bigint {
  const parents = new Map<string, string>()
  const attack = runHub({
    seed,
    begin({ hub }) {
      const ids: string[] = []
      for (let depth = 0; depth < 64; depth++) {
        const parent = ids.at(-1)
        const [id = ''] = hub.join(1, 100n * E18, parent === undefined ? {} : { parent })
        if (parent !== undefined) parents.set(id, parent)
        hub.deposit(id, 100n * E18)
        ids.push(id)
      }
      return ids
    },
    day({ hub }, ids, day, when) {
      if (when === 'late' || day > 0) return
      for (const id of ids) {
        const parent = parents.get(id)
        if (parent === undefined) hub.request(id)
        else hub.raiseByParent(id, parent)
      }
    },
  })
  return attack - holdStar(seed, 7)
}

function strategy(
  name: string,
  about: string,
  { capital, gainOf }: { readonly capital: string; gainOf(seed: number): bigint },
): Strategy {
  const run = (seed: number) => ({ gain: gainOf(seed), bound: 0n })
  return { name, about, capital, bound: NOTHING_GAINED, holds: 'always', run }
}

export default [
  strategy('first-star', 'holds the only star of the hub', { capital: '100 RT', gainOf: (seed) => firstStar(seed) }),
  strategy('late-star', 'takes stars in the last minute of a day and gives notice in the next', {
    capital: '1,000 RT',
    gainOf: lateStar,
  }),
  strategy('bare-deposits', 'deposits 2,560,000 RT without a star beside one star', {
    capital: '2,560,100 RT',
    gainOf: bareDeposits,
  }),
  strategy('split-stars', 'holds 64 first stars instead of one seventh', { capital: '6,400 RT', gainOf: splitStars }),
  strategy('deep-line', 'holds 64 stars in one deep line of own accounts', { capital: '6,400 RT', gainOf: deepLine }),
  strategy('own-parent', 'approves the stars of one account by his own second account', {
    capital: '25,600 RT',
    gainOf: ownParent,
  }),
  strategy('silent-parent', 'leaves the requests of his children without a response', {
    capital: '6,400 RT',
    gainOf: silentParent,
  }),
  strategy('step-and-return', 'steps down and comes back in turns', { capital: '400 RT', gainOf: stepAndReturn }),
] satisfies readonly Strategy[]
