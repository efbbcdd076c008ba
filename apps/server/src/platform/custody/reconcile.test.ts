import { randomUUID } from 'node:crypto'
import { expectBooksBalanced, openTestDatabase } from '@clearwell/ledger/testing/database'
import { Writer } from '@clearwell/ledger/writer'
import { ASSET_IDS, type AssetId } from '@clearwell/money/asset'
import { expect, test } from 'vitest'
import type { Chain, ChainBlock } from '../chain/chain.ts'
import { createSimulatedChain, simulatedPayment } from '../chain/testing/simulated-chain.ts'
import { MIGRATION_FOLDERS } from '../database/open-database.ts'
import { holdingAtCursor, reconcile, type Sum } from './reconcile.ts'
import { movementRules } from './testing/watcher.ts'
import { ChainUnclear } from './vault-books.ts'
import { createWatcher } from './watcher.ts'

const USER = `0x${'a'.repeat(40)}`
const CURSOR: ChainBlock = { number: 10n, hash: '0x0a', time: new Date(0) }
const HEAD: ChainBlock = { number: 14n, hash: '0x0e', time: new Date(12_000) }
/** The vault's holding at the head, in units of 10^-18. */
const NOW: Readonly<Record<AssetId, bigint>> = { BNB: 100n, USDT: 2_000n, ETH: 30n, RT: 0n }
const LATER = {
  unconfirmedIn: sumOf({ BNB: 30n, USDT: 500n }),
  unconfirmedOut: sumOf({ USDT: 70n, ETH: 7n }),
}

test('a node that has the state at the cursor is read there', async () => {
  expect(await holdingAtCursor(nodeFrom(10n), CURSOR, HEAD, LATER)).toEqual({
    onChain: { BNB: 101n, USDT: 2_001n, ETH: 31n },
    vaultReadAt: 10n,
  })
})

test('without that state, the head’s is corrected by later movements', async () => {
  expect(await holdingAtCursor(nodeFrom(14n), CURSOR, HEAD, LATER)).toEqual({
    onChain: { BNB: 70n, USDT: 1_570n, ETH: 37n },
    vaultReadAt: 14n,
  })
})

test('a replaced block at the cursor is no lack of history', async () => {
  const replaced = { ...nodeFrom(10n), block: async (number: bigint) => ({ ...HEAD, number }) } as unknown as Node
  await expect(holdingAtCursor(replaced, CURSOR, HEAD, LATER)).rejects.toThrow(ChainUnclear)
})

test('a node without the state of either block is refused', async () => {
  await expect(holdingAtCursor(nodeFrom(20n), CURSOR, HEAD, LATER)).rejects.toThrow('no state at block 10')
})

test('a head before the cursor is refused', async () => {
  const behind = { ...HEAD, number: 9n }
  const node = { ...nodeFrom(0n), vaultHolding: async (_asset: AssetId, number: bigint) => stateAt9(number) }
  await expect(holdingAtCursor(node, CURSOR, behind, LATER)).rejects.toThrow('no state at block 10')
})

function stateAt9(number: bigint): bigint {
  if (number !== 9n) throw new Error(`no state at block ${number}`)
  return 5n
}

test('credited payments are what the vault holds, to the unit', async () => {
  const db = await openTestDatabase(MIGRATION_FOLDERS)
  const clock = { now: () => new Date('2026-11-21T09:00:00Z') }
  const writer = await Writer.open({
    db,
    clock,
    randomId: randomUUID,
    holder: 'test',
    leaseTtlMs: 2_000,
    exclusive: true,
  })
  const chain = createSimulatedChain(31337)
  chain.mine(simulatedPayment('paid', { account: USER, asset: 'USDT', units: 5n }))
  chain.mineEmpty(2)
  const watcher = createWatcher({
    ...{ chain, db, writer, expireDue: async () => {}, confirmations: 3, startBlock: 0n, pollMs: 3_600_000 },
    rules: movementRules(chain.id, { operator: USER.replace('a', 'b') }),
    onError: (error) => expect.unreachable(String(error)),
  })
  try {
    await watcher.poll()
    const read = () => reconcile({ db, chain }, { rtSupply: 0n, audits: [] })
    expect(await read()).toMatchObject({ sum: { USDT: 5n }, held: { USDT: 5n }, difference: { USDT: 0n }, faults: [] })
    const honest = chain.vaultHolding
    chain.vaultHolding = async (asset, at) => (await honest(asset, at)) - (asset === 'USDT' ? 1n : 0n)
    expect(await read()).toMatchObject({ difference: { USDT: -1n }, faults: ['USDT: 1 base units are missing'] })
  } finally {
    await watcher.stop()
    await writer.close()
    await expectBooksBalanced(db)
    await db.close()
  }
})

type Node = Pick<Chain, 'block' | 'vaultHolding'>

/** A node that has no state before a block. At the cursor the vault holds one unit more of each asset, to tell the blocks apart. */
function nodeFrom(first: bigint): Node {
  return {
    block: async (number: bigint) => (number === CURSOR.number ? CURSOR : HEAD),
    async vaultHolding(asset: AssetId, number: bigint) {
      if (number < first) throw new Error(`no state at block ${number}`)
      return NOW[asset] + (number === CURSOR.number ? 1n : 0n)
    },
  } as unknown as Node
}

function sumOf(units: Partial<Record<AssetId, bigint>>): Sum {
  const all = Object.fromEntries(ASSET_IDS.map((asset) => [asset, units[asset] ?? 0n])) as Record<AssetId, bigint>
  return { count: Object.keys(units).length, units: all }
}
