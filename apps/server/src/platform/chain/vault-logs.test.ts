import { clearwellVaultAbi } from '@clearwell/vault/abi/clearwell-vault'
import { exitVaultAbi } from '@clearwell/vault/abi/exit-vault'
import { encodeAbiParameters, encodeEventTopics, erc20Abi, type Hex, zeroAddress, zeroHash } from 'viem'
import { describe, expect, test } from 'vitest'
import { ChainFault } from './chain-fault.ts'
import type { NodeLog } from './check-logs.ts'
import { TEST_CUSTODY } from './testing/node.ts'
import { createVaultLogs } from './vault-logs.ts'

const ANN: Hex = `0x${'a'.repeat(40)}`
const USDT = TEST_CUSTODY.tokens[0]?.address as Hex
const UNLISTED: Hex = `0x${'9'.repeat(40)}`
const ORDER: Hex = `0x${'e'.repeat(64)}`
const { vault } = TEST_CUSTODY
const logs = createVaultLogs(TEST_CUSTODY)

function logOf(address: Hex, topics: readonly unknown[], amount: bigint, changes: Partial<NodeLog> = {}): NodeLog {
  return {
    address,
    topics: topics as Hex[],
    data: encodeAbiParameters([{ type: 'uint256' }], [amount]),
    blockNumber: 7n,
    blockHash: '0x7',
    txHash: '0x1',
    logIndex: 0,
    ...changes,
  }
}
const deposited = (asset: Hex = USDT, orderId: Hex = ORDER) =>
  encodeEventTopics({ abi: clearwellVaultAbi, eventName: 'Deposited', args: { account: ANN, asset, orderId } })
const withdrawn = (nonce: bigint) =>
  encodeEventTopics({ abi: clearwellVaultAbi, eventName: 'Withdrawn', args: { account: ANN, asset: USDT, nonce } })
const exited = encodeEventTopics({ abi: exitVaultAbi, eventName: 'Exited', args: { account: ANN, asset: USDT } })
const exitData = (amount: bigint, to: Hex) =>
  encodeAbiParameters([{ type: 'uint256' }, { type: 'address' }, { type: 'uint40' }], [amount, to, 3])
const transferred = (to: Hex) => encodeEventTopics({ abi: erc20Abi, eventName: 'Transfer', args: { from: ANN, to } })

const place = { txHash: '0x1', logIndex: 0, blockNumber: 7n, blockHash: '0x7', account: ANN }
/** An address in its word, with something before it. */
const dirty = (topic: unknown) => `0x01${(topic as string).slice(4)}`

describe('reads', () => {
  test('reads a deposit with its order and one without', () => {
    expect(logs.readFiltered([logOf(vault, deposited(), 5n)])).toEqual({
      deposits: [{ ...place, asset: 'USDT', units: 5n, orderId: ORDER }],
      withdrawals: [],
    })
    expect(logs.readFiltered([logOf(vault, deposited(zeroAddress, zeroHash), 5n)]).deposits).toEqual([
      { ...place, asset: 'BNB', units: 5n, orderId: null },
    ])
  })

  test('reads a withdrawal with its nonce, up to the largest', () => {
    const nonce = 2n ** 256n - 1n
    expect(logs.readFiltered([logOf(vault, withdrawn(nonce), 5n)])).toEqual({
      deposits: [],
      withdrawals: [{ ...place, asset: 'USDT', units: 5n, nonce }],
    })
  })

  test('reads an exit with the address that was paid', () => {
    const to: Hex = `0x${'b'.repeat(40)}`
    const log = logOf(vault, exited, 0n, { data: exitData(5n, to) })
    expect(logs.readFiltered([log])).toEqual({
      deposits: [],
      withdrawals: [],
      exits: [{ ...place, asset: 'USDT', units: 5n, to }],
    })
    expect(() => logs.readFiltered([logOf(vault, exited, 5n)])).toThrow(ChainFault)
  })

  test('reads a plain transfer as a deposit without an order', () => {
    expect(logs.readFiltered([logOf(USDT, transferred(vault), 5n)]).deposits).toEqual([
      { ...place, asset: 'USDT', units: 5n, orderId: null, isPlainTransfer: true },
    ])
  })

  test('reads the transfer behind a deposit event only once', () => {
    const { deposits } = logs.readFiltered([
      logOf(USDT, transferred(vault), 5n),
      logOf(vault, deposited(), 5n, { logIndex: 1 }),
      logOf(USDT, transferred(vault), 3n, { logIndex: 2 }),
    ])
    expect(deposits.map(({ logIndex, units, orderId }) => ({ logIndex, units, orderId }))).toEqual([
      { logIndex: 1, units: 5n, orderId: ORDER },
      { logIndex: 2, units: 3n, orderId: null },
    ])
  })

  test('marks payments of a replaced vault and leaves out those between vaults', () => {
    const old: Hex = `0x${'0b'.repeat(20)}`
    const both = createVaultLogs({ ...TEST_CUSTODY, replacedVaults: [old] })
    const between = (name: 'Deposited' | 'Withdrawn', account: Hex) => {
      const args =
        name === 'Deposited' ? { account, asset: zeroAddress, orderId: zeroHash } : { account, asset: USDT, nonce: 4n }
      return encodeEventTopics({ abi: clearwellVaultAbi, eventName: name, args } as never)
    }
    const moved = encodeEventTopics({ abi: erc20Abi, eventName: 'Transfer', args: { from: old, to: vault } })
    const found = both.readFiltered([
      logOf(old, deposited(), 5n, { logIndex: 1 }),
      logOf(USDT, transferred(old), 6n, { logIndex: 2 }),
      logOf(old, withdrawn(3n), 7n, { logIndex: 3 }),
      logOf(old, between('Withdrawn', vault), 8n, { logIndex: 4 }),
      logOf(USDT, moved, 8n, { logIndex: 5 }),
      logOf(vault, between('Deposited', old), 9n, { logIndex: 6 }),
      logOf(vault, deposited(), 1n, { logIndex: 7 }),
    ])
    expect(found.deposits.map(({ units, replacedVault }) => [units, replacedVault])).toEqual([
      [5n, old],
      [6n, old],
      [1n, undefined],
    ])
    expect(found.withdrawals).toMatchObject([{ units: 7n, nonce: 3n, replacedVault: old }])
    expect(both.filter.address).toContain(old)
  })

  test('reads nothing from a transaction without a payment', () => {
    expect(logs.readAny([logOf(UNLISTED, transferred(ANN), 5n)])).toEqual({ deposits: [], withdrawals: [] })
    expect(logs.readAny([logOf(vault, deposited(UNLISTED), 5n)])).toEqual({ deposits: [], withdrawals: [] })
  })
})

describe.each([
  ['a deposit', vault, deposited()],
  ['a withdrawal', vault, withdrawn(1n)],
  ['a transfer', USDT, transferred(vault)],
] as const)('rejects %s', (_name, address, topics) => {
  const malformed = (changed: readonly unknown[], changes: Partial<NodeLog> = {}) => {
    for (const read of [logs.readFiltered, logs.readAny]) {
      expect(() => read([logOf(address, changed, 5n, changes)])).toThrow(
        expect.objectContaining({ name: 'ChainFault', kind: 'malformed' }),
      )
    }
  }

  test('a log with an extra topic is rejected', () => malformed([...topics, ORDER]))
  test('a log with a missing topic is rejected', () => {
    // Without its second topic a transfer is not to the vault, and no payment.
    if (topics.length === 4) malformed(topics.slice(0, -1))
  })
  test('a log with an account longer than an address is rejected', () =>
    malformed([topics[0], dirty(topics[1]), ...topics.slice(2)]))
  test('a log with data of another length is rejected', () => {
    malformed(topics, { data: '0x' })
    malformed(topics, { data: `0x${'0'.repeat(126)}05` })
  })
})

test('rejects a deposit whose asset is longer than an address', () => {
  const [event, account, asset, order] = deposited()
  expect(() => logs.readFiltered([logOf(vault, [event, account, dirty(asset), order], 5n)])).toThrow(ChainFault)
})

test('rejects an unrequested log and an impossible amount', () => {
  expect(() => logs.readFiltered([logOf(UNLISTED, transferred(vault), 5n)])).toThrow(
    expect.objectContaining({ kind: 'not_asked' }),
  )
  expect(() => logs.readFiltered([logOf(vault, deposited(UNLISTED), 5n)])).toThrow(
    expect.objectContaining({ kind: 'not_asked' }),
  )
  expect(() => logs.readFiltered([logOf(vault, deposited(), 10n ** 31n)])).toThrow(
    expect.objectContaining({ kind: 'absurd_amount' }),
  )
})
