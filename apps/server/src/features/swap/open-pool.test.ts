import type { Command } from '@clearwell/ledger/command'
import { MemoryLedger } from '@clearwell/ledger/testing/memory-ledger'
import type { Writer } from '@clearwell/ledger/writer'
import { beforeEach, describe, expect, test } from 'vitest'
import { poolAccount, TREASURY } from '../../platform/ledger/accounts.ts'
import { performAction } from '../../testing/perform-action.ts'
import { BNB_POOL, RT_POOL, START } from '../../testing/swap-ledger.ts'
import { openFundedPools, openPool, openPools, type PoolDefinition, sidesOf, spotSymbolOf } from './open-pool.ts'
import { openPoolByOperator } from './open-pool-by-operator.ts'
import { swapPools } from './swap.tables.ts'

const { id, base, quote, initialBase, initialQuote } = BNB_POOL

let ledger: MemoryLedger
beforeEach(() => {
  ledger = new MemoryLedger(START)
})

/** Deposits of the operator. */
function fund(baseUnits: bigint, quoteUnits: bigint): void {
  ledger.add(TREASURY, base, baseUnits)
  ledger.add(TREASURY, quote, quoteUnits)
}
const held = (account: string) => [ledger.balance(account, base), ledger.balance(account, quote)]

describe('opening a pool', () => {
  test('moves its exact initial liquidity out of the treasury', () => {
    fund(initialBase + 1n, initialQuote)
    expect(ledger.execute(openPool(BNB_POOL))).toEqual({ open: true, isNew: true })
    expect([held(TREASURY), held(poolAccount(id))]).toEqual([
      [1n, 0n],
      [initialBase, initialQuote],
    ])
    expect(ledger.row(swapPools, id)).toMatchObject({ base, quote, opened_at: START, suspended_at: null })
  })

  test.each([
    ['base', initialBase - 1n, initialQuote],
    ['quote', initialBase, initialQuote - 1n],
  ])('changes nothing while the treasury lacks one unit of the %s asset', (_side, baseUnits, quoteUnits) => {
    fund(baseUnits, quoteUnits)
    expect(ledger.execute(openPool(BNB_POOL))).toEqual({ open: false })
    expect([held(TREASURY), held(poolAccount(id))]).toEqual([
      [baseUnits, quoteUnits],
      [0n, 0n],
    ])
    expect(ledger.row(swapPools, id)).toBeUndefined()
  })

  test('happens once, however much the treasury holds', () => {
    fund(2n * initialBase, 2n * initialQuote)
    ledger.execute(openPool(BNB_POOL))
    expect(ledger.plan(openPool(BNB_POOL))).toEqual({ response: { open: true } })
  })
})

describe('opening a pool by the operator', () => {
  const open = () => {
    const amounts = { initialBase: String(initialBase), initialQuote: String(initialQuote) }
    return performAction(ledger, openPoolByOperator, { id, base, quote, ...amounts })
  }

  test('opens it with the liquidity that was named', () => {
    fund(initialBase, initialQuote)
    expect(open()).toEqual({ isDone: true, text: 'bnb-usdt is open.' })
    expect(held(poolAccount(id))).toEqual([initialBase, initialQuote])
  })

  test('says why it does nothing', () => {
    expect(open()).toEqual({ isDone: false, text: 'The treasury does not have the initial liquidity of bnb-usdt.' })
    fund(2n * initialBase, 2n * initialQuote)
    open()
    expect(open()).toEqual({ isDone: false, text: 'bnb-usdt is open already.' })
    expect(held(TREASURY)).toEqual([initialBase, initialQuote])
  })

  test('rejects an amount of zero and an unknown asset', () => {
    for (const wrong of [{ initialBase: '0' }, { base: 'DOGE' }]) {
      const payload = { id, base, quote, initialBase: '1', initialQuote: '1', ...wrong }
      expect(() => performAction(ledger, openPoolByOperator, payload)).toThrow(Object.keys(wrong)[0])
    }
  })
})

describe('opening the configured pools', () => {
  const pools: readonly PoolDefinition[] = [BNB_POOL, RT_POOL]
  const needed = {
    BNB: BNB_POOL.initialBase,
    USDT: BNB_POOL.initialQuote + RT_POOL.initialQuote,
    ETH: 0n,
    RT: RT_POOL.initialBase,
  }
  const writer = { execute: async <Result>(command: Command<Result>) => ledger.execute(command) } as unknown as Writer
  let opened: string[]
  let reads: number
  beforeEach(() => {
    opened = []
    reads = 0
  })
  const onOpened = (poolId: string) => opened.push(poolId)
  const give = (more: Partial<typeof needed> = {}) => {
    for (const [asset, units] of Object.entries({ ...needed, ...more }))
      if (units > 0n) ledger.add(TREASURY, asset as 'BNB', units)
  }
  const openAll = (fund?: Parameters<typeof openPools>[0]['fund']) =>
    openPools({
      ...{ writer, pools, fund, onOpened },
      async readPayments() {
        reads += 1
      },
    })
  const openFunded = (openPoolIds: readonly string[] = []) =>
    openFundedPools({
      ...{ writer, pools, onOpened },
      openPoolIds: async () => openPoolIds,
      async readTreasury() {
        reads += 1
        return (['BNB', 'USDT', 'RT'] as const).map((asset) => ({ asset, units: ledger.balance(TREASURY, asset) }))
      },
    })

  test('asks a local chain for the liquidity of all pools, once', async () => {
    const asked: object[] = []
    const fund = async (liquidity: object) => {
      asked.push(liquidity)
      give()
    }
    await openAll(fund)
    await openAll(fund)
    expect([asked, opened, reads]).toEqual([[needed], ['bnb-usdt', 'rt-usdt'], 3])
    expect(Object.keys(needed).map((asset) => ledger.balance(TREASURY, asset as 'BNB'))).toEqual([0n, 0n, 0n, 0n])
  })

  test('fails where the deposit brings too little', async () => {
    await expect(openAll(async () => give({ RT: needed.RT - 1n }))).rejects.toThrow('still missing')
    expect(opened).toEqual(['bnb-usdt'])
  })

  test('leaves pools closed where there is no deposit to ask for', async () => {
    await openAll()
    expect([opened, reads]).toEqual([[], 1])
  })

  test('opens the pools that the treasury can pay, to the unit', async () => {
    give({ RT: needed.RT - 1n })
    await openFunded()
    expect(opened).toEqual(['bnb-usdt'])
    ledger.add(TREASURY, 'RT', 1n)
    await openFunded(['bnb-usdt'])
    expect(opened).toEqual(['bnb-usdt', 'rt-usdt'])
    await openFunded(['bnb-usdt', 'rt-usdt'])
    expect([opened, reads]).toEqual([['bnb-usdt', 'rt-usdt'], 2])
  })

  test('sends no command for a pool that lacks one unit of USDT', async () => {
    const fake = { execute: () => Promise.reject(new Error('asked')) } as unknown as Writer
    const treasury = [
      { asset: 'BNB', units: BNB_POOL.initialBase },
      { asset: 'USDT', units: BNB_POOL.initialQuote - 1n },
    ] as const
    const readTreasury = async () => treasury
    await openFundedPools({ writer: fake, pools: [BNB_POOL], onOpened, openPoolIds: async () => [], readTreasury })
    expect(opened).toEqual([])
  })
})

test('a pair sells its base asset, or inverse its quote asset', () => {
  expect([sidesOf(BNB_POOL, false), sidesOf(BNB_POOL, true)]).toEqual([
    ['BNB', 'USDT'],
    ['USDT', 'BNB'],
  ])
  expect([BNB_POOL, RT_POOL].map((pool) => spotSymbolOf(pool, new Set(['BNBUSDT'])))).toEqual(['BNBUSDT', undefined])
})
