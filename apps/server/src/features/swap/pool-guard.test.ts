import type { Command } from '@clearwell/ledger/command'
import { NotReady, type Writer } from '@clearwell/ledger/writer'
import { beforeEach, describe, expect, test } from 'vitest'
import type { PoolToFollow } from '../../domain/pools/market-followers.ts'
import { createPoolGuard, type PoolGuard } from './pool-guard.ts'
import type { PoolState, PoolView } from './pool-view.ts'
import type { SwapStore } from './swap.store.ts'

const E18 = 10n ** 18n
const pool = { id: 'bnb-usdt', base: 'BNB', quote: 'USDT', initialBase: 10n * E18, initialQuote: 6_000n * E18 } as const
const rt = { id: 'rt-usdt', base: 'RT', quote: 'USDT', initialBase: 1_000n * E18, initialQuote: 100n * E18 } as const

/** The guard's surroundings without a server: clock, market, pools, and the commands and reports it sends. */
interface World {
  now: Date
  spot: { priceE18: bigint; time: Date; stale: boolean } | undefined
  states: PoolState[]
  traded: Awaited<ReturnType<SwapStore['pricesSince']>>
  isWriting: boolean
  failure: Error | undefined
  commands: string[]
  opened: number
  reported: string[]
  before: (readonly PoolToFollow[])[]
  onBefore: () => void
}

let world: World
let guard: PoolGuard
beforeEach(() => {
  const now = new Date('2026-01-01T00:00:00Z')
  world = {
    now,
    spot: spotOf(600n),
    states: [stateOf(pool, 600n)],
    traded: undefined,
    isWriting: true,
    failure: undefined,
    commands: [],
    opened: 0,
    reported: [],
    before: [],
    onBefore: () => {},
  }
  guard = createPoolGuard({
    store: {
      pricesSince: async () => world.traded,
    } as unknown as SwapStore,
    writer: {
      get isWriting() {
        return world.isWriting
      },
      async execute({ kind, owner }: Command<unknown>) {
        if (world.failure) throw world.failure
        world.commands.push(`${kind} ${owner}`)
        return { outcome: 'changed' }
      },
    } as unknown as Writer,
    view: { states: async () => world.states } as unknown as PoolView,
    clock: { now: () => world.now },
    limits: { spotDeviationBps: 1_000n, hourMoveBps: 3_000n },
    spot: { symbols: new Set(['BNBUSDT']), ticker: async () => world.spot },
    async openFunded() {
      world.opened += 1
    },
    async followMarket(pools) {
      world.before.push(pools)
      world.onBefore()
    },
    everyMs: 5,
    onError: (error) => world.reported.push((error as Error).message),
  })
})

function spotOf(price: bigint, stale = false) {
  return { priceE18: price * E18, time: new Date('2026-01-01T00:00:00Z'), stale }
}

function stateOf(of: PoolState['pool'], price: bigint, more: Partial<PoolState> = {}): PoolState {
  const reserves = { base: 10n * E18, quote: 10n * price * E18 }
  const at = new Date('2026-01-01T00:00:00Z')
  return { pool: of, reserves, suspended: undefined, suspendedBy: undefined, at, ...more }
}

const band = (id = 'bnb-usdt') => {
  const { lowE18, highE18 } = guard.bandOf(id) ?? { lowE18: 0n, highE18: 0n }
  return [lowE18 / E18, highE18 / E18]
}

describe('a pool with a spot price', () => {
  test('keeps a pool near the spot price open and limits swaps', async () => {
    expect(guard.bandOf('bnb-usdt')).toBeUndefined()
    await guard.check()
    expect(world.commands).toEqual([])
    expect(band()).toEqual([540n, 660n])
  })

  test('changes no pool that the market left behind', async () => {
    world.states = [stateOf(pool, 700n)]
    await guard.check()
    expect([world.commands, world.reported]).toEqual([[], []])
    expect(band()).toEqual([540n, 660n])
  })

  test('resumes a pool that an earlier version suspended for its price', async () => {
    const suspended = { reason: 'price_deviation', at: world.now } as const
    world.states = [stateOf(pool, 700n, { suspended, suspendedBy: 'rule' })]
    await guard.check()
    expect(world.commands).toEqual(['change_pool pool_rule'])
  })

  test('limits swaps by the last hour while the spot price is stale', async () => {
    world.spot = spotOf(1_200n, true)
    world.traded = { lowest_e18: 500n * E18, highest_e18: 600n * E18, before_e18: 550n * E18 }
    await guard.check()
    expect(world.commands).toEqual([])
    // 600 × 0.7 and 500 × 1.3.
    expect(band()).toEqual([420n, 650n])
    expect(world.before).toEqual([[]])
  })

  test('prices the base asset by spot, else by its lowest', async () => {
    await guard.check()
    expect(guard.marketOf('bnb-usdt')).toBe(600n * E18)
    world.spot = undefined
    world.traded = { lowest_e18: 500n * E18, highest_e18: 600n * E18, before_e18: 550n * E18 }
    await guard.check()
    expect(guard.marketOf('bnb-usdt')).toBe(500n * E18)
  })

  test('gives the spot price while it is fresh', async () => {
    world.states = [stateOf(pool, 700n), stateOf(rt, 1n)]
    expect(guard.spotOf('bnb-usdt')).toBeUndefined()
    await guard.check()
    expect([guard.spotOf('bnb-usdt'), guard.spotOf('rt-usdt')]).toEqual([600n * E18, undefined])
    world.now = new Date('2026-01-01T00:01:00.001Z')
    expect([guard.spotOf('bnb-usdt'), guard.marketOf('bnb-usdt')]).toEqual([undefined, undefined])
  })

  test('limits swaps by the last hour while the spot price is unknown', async () => {
    world.spot = undefined
    await guard.check()
    expect(band()).toEqual([420n, 780n])
    expect(world.before).toEqual([[]])
  })

  test('drops the band a minute after the last spot price', async () => {
    await guard.check()
    world.now = new Date('2026-01-01T00:01:00Z')
    expect(band()).toEqual([540n, 660n])
    world.now = new Date('2026-01-01T00:01:00.001Z')
    expect(guard.bandOf('bnb-usdt')).toBeUndefined()
  })

  test('offers only pools with a spot price to the arbitrageur', async () => {
    world.states = [stateOf(pool, 700n), stateOf(rt, 1n)]
    await guard.check()
    expect(world.before).toEqual([[{ pool, reserves: stateOf(pool, 700n).reserves, spotE18: 600n * E18 }]])
  })

  test('a suspended pool is not offered to the arbitrageur', async () => {
    world.states = [stateOf(pool, 700n, { suspended: { reason: 'operator', at: world.now }, suspendedBy: 'operator' })]
    await guard.check()
    expect([world.before, world.commands]).toEqual([[[]], []])
  })
})

describe('a pool without a spot price', () => {
  test('uses the price of the initial liquidity before the first trade', async () => {
    world.states = [stateOf(rt, 1n, { reserves: { base: 1_000n * E18, quote: 100n * E18 } })]
    await guard.check()
    expect(guard.bandOf('rt-usdt')).toEqual({ lowE18: (7n * E18) / 100n, highE18: (13n * E18) / 100n })
  })

  test('gives its base asset no market price', async () => {
    world.states = [stateOf(rt, 1n)]
    await guard.check()
    expect(guard.marketOf('rt-usdt')).toBe(0n)
  })
})

describe('the timer of the guard', () => {
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5))
  }

  test('repeats until it is stopped and reports a failure once', async () => {
    world.states = [stateOf(pool, 700n, { suspendedBy: 'rule' })]
    world.failure = new Error('a bug')
    guard.start()
    await until(() => world.before.length > 3)
    await guard.stop()
    expect(world.reported).toEqual(['a bug'])
    const atStop = world.before.length
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect(world.before).toHaveLength(atStop)
  })

  test('reports nothing while the ledger is not writable', async () => {
    world.states = [stateOf(pool, 700n, { suspendedBy: 'rule' })]
    world.failure = new NotReady('away')
    guard.start()
    await until(() => world.before.length > 2)
    await guard.stop()
    expect(world.reported).toEqual([])
  })

  test('updates the band on a follower without executing commands', async () => {
    world.states = [stateOf(pool, 700n)]
    world.isWriting = false
    await guard.check()
    expect([world.before, world.commands, world.opened]).toEqual([[], [], 0])
    expect(band()).toEqual([540n, 660n])
    world.isWriting = true
    await guard.check()
    expect(world.opened).toBe(1)
  })
})
