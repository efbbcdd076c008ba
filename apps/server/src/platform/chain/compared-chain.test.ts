import { beforeEach, describe, expect, test } from 'vitest'
import type { Chain } from './chain.ts'
import { ChainDisagreement, ChainFault } from './chain-fault.ts'
import { createComparedChain } from './compared-chain.ts'
import {
  createSimulatedChain,
  type SimulatedChain,
  simulatedPayment,
  simulatedWithdrawal,
} from './testing/simulated-chain.ts'

const ANN = `0x${'a'.repeat(40)}`
const payment = simulatedPayment('paid', { account: ANN, asset: 'USDT', units: 7n })
const names = ['FIRST', 'SECOND'] as const

let primary: SimulatedChain
let second: SimulatedChain
let alarms: string[]
let chain: Chain

/** Both nodes get the same blocks. */
function onBoth(change: (chain: SimulatedChain) => unknown): void {
  change(primary)
  change(second)
}

beforeEach(() => {
  alarms = []
  primary = createSimulatedChain(56)
  second = createSimulatedChain(56)
  chain = createComparedChain({ primary, second, names, onAlarm: (error) => alarms.push(error.message) })
  onBoth((each) => {
    each.mine(payment)
    each.mine(simulatedWithdrawal('out', { account: ANN, asset: 'USDT', units: 2n, nonce: 1n }))
    each.mineEmpty(3)
  })
})

const disagreement = (about: string) => expect.objectContaining({ name: 'ChainDisagreement', about })

describe('two agreeing nodes', () => {
  test('two agreeing nodes form one chain', async () => {
    expect(await chain.head()).toEqual(await primary.head())
    expect(await chain.block(3n)).toEqual(await primary.block(3n))
    expect(await chain.block(9n)).toBeUndefined()
    expect(await chain.movements({ from: 0n, to: 5n })).toEqual(await primary.movements({ from: 0n, to: 5n }))
    expect(await chain.movementsOf(payment.txHash)).toMatchObject({ status: 'mined' })
    expect(await chain.vaultHolding('USDT', 5n)).toBe(5n)
    expect(await chain.isNonceUsed(1n, 5n)).toBe(true)
    expect(await chain.vaultState()).toEqual(await primary.vaultState())
    expect(alarms).toEqual([])
  })

  test('two nodes of different chains are rejected immediately', () => {
    const other = createSimulatedChain(97)
    expect(() => createComparedChain({ primary, second: other, names, onAlarm: () => {} })).toThrow(ChainDisagreement)
  })
})

describe('the common head', () => {
  test('the common head is the lower of both heads', async () => {
    primary.mineEmpty(4)
    expect((await chain.head()).number).toBe(5n)
    second.mineEmpty(9)
    expect((await chain.head()).number).toBe(9n)
  })

  test('the common head is below a temporary fork of the tip', async () => {
    const [mine] = [primary.mine(simulatedPayment('a', { account: ANN, asset: 'BNB', units: 1n }))]
    second.mineEmpty(1)
    expect((await second.block(mine.number))?.hash).not.toBe(mine.hash)
    expect((await chain.head()).number).toBe(5n)
  })

  test('nodes that differ below the tip have no common head', async () => {
    onBoth((each) => each.reorg(1))
    primary.mine(simulatedPayment('a', { account: ANN, asset: 'BNB', units: 1n }))
    second.mineEmpty(1)
    onBoth((each) => each.mineEmpty(12))
    await expect(chain.head()).rejects.toEqual(disagreement('head'))
  })

  test('reports a node that stays behind once per outage, by name', async () => {
    second.mineEmpty(30)
    for (let time = 0; time < 60; time++) await chain.head()
    expect(alarms).toEqual(['FIRST is 30 blocks behind the other node, and stays there'])
    primary.mineEmpty(30)
    await chain.head()
    primary.mineEmpty(21)
    for (let time = 0; time < 60; time++) await chain.head()
    expect(alarms).toHaveLength(2)
    expect(alarms[1]).toContain('SECOND is 21 blocks behind')
  })

  test('raises no alarm for nodes a few blocks apart', async () => {
    second.mineEmpty(20)
    for (let time = 0; time < 60; time++) await chain.head()
    expect(alarms).toEqual([])
  })
})

describe('a difference', () => {
  test('a differing block is reported with its number and both nodes', async () => {
    onBoth((each) => each.reorg(1))
    second.mine(simulatedPayment('b', { account: ANN, asset: 'BNB', units: 1n }))
    primary.mineEmpty(1)
    await expect(chain.block(5n)).rejects.toEqual(disagreement('block'))
    await expect(chain.block(5n)).rejects.toThrow(/block 5: FIRST says .*, SECOND says /)
    // A block that only one node has does not exist yet.
    primary.mineEmpty(1)
    expect(await chain.block(6n)).toBeUndefined()
  })

  test.each([
    [
      'a payment that one made up',
      (found: Found) => ({ ...found, deposits: [...found.deposits, { ...found.deposits[0], txHash: '0xfake' }] }),
    ],
    ['a payment that one left out', (found: Found) => ({ ...found, deposits: [] })],
    [
      'a unit more',
      (found: Found) => ({ ...found, deposits: found.deposits.map((each) => ({ ...each, units: each.units + 1n })) }),
    ],
    [
      'another payer',
      (found: Found) => ({ ...found, deposits: found.deposits.map((each) => ({ ...each, account: '0xb' })) }),
    ],
    [
      'another order',
      (found: Found) => ({ ...found, deposits: found.deposits.map((each) => ({ ...each, orderId: '0xc' })) }),
    ],
    ['a payment of the vault left out', (found: Found) => ({ ...found, withdrawals: [] })],
    [
      'another nonce',
      (found: Found) => ({ ...found, withdrawals: found.withdrawals.map((each) => ({ ...each, nonce: 9n })) }),
    ],
  ])('a difference in movements is never forwarded: %s', async (_name, change) => {
    for (const liar of [primary, second]) {
      const honest = liar.movements
      liar.movements = async (range) => change(await honest(range)) as Found
      await expect(chain.movements({ from: 0n, to: 5n })).rejects.toEqual(disagreement('movements'))
      liar.movements = honest
    }
    expect((await chain.movements({ from: 0n, to: 5n })).deposits).toHaveLength(1)
  })

  test('a difference in a transaction, holding, nonce or switch rejects the response', async () => {
    const honest = { ...second }
    second.movementsOf = async () => ({ status: 'failed' })
    second.vaultHolding = async () => 6n
    second.isNonceUsed = async () => false
    second.setVaultState({ isPaused: true })
    await expect(chain.movementsOf(payment.txHash)).rejects.toEqual(disagreement('transaction'))
    await expect(chain.vaultHolding('USDT', 5n)).rejects.toEqual(disagreement('holding'))
    await expect(chain.isNonceUsed(1n, 5n)).rejects.toEqual(disagreement('nonce'))
    await expect(chain.vaultState()).rejects.toEqual(disagreement('vault_state'))
    Object.assign(second, honest)
    second.movementsOf = async () => ({ status: 'not_found' })
    expect(await chain.movementsOf(payment.txHash)).toEqual({ status: 'not_found' })
  })

  test('a difference that a retry resolves is ignored', async () => {
    let lies = 2
    const honest = second.movements
    second.movements = async (range) => (lies-- > 0 ? { deposits: [], withdrawals: [] } : honest(range))
    expect((await chain.movements({ from: 0n, to: 5n })).deposits).toHaveLength(1)
  })
})

test("a node's error keeps its kind and names the node", async () => {
  second.movements = async () => {
    throw new ChainFault('removed', 'a log was taken out')
  }
  await expect(chain.movements({ from: 0n, to: 1n })).rejects.toMatchObject({ name: 'ChainFault', kind: 'removed' })
  await expect(chain.movements({ from: 0n, to: 1n })).rejects.toThrow('SECOND: a log was taken out')
  primary.beforeResponse = () => {
    throw new Error('connection refused')
  }
  await expect(chain.head()).rejects.toThrow('FIRST: connection refused')
})

type Found = Awaited<ReturnType<Chain['movements']>>
