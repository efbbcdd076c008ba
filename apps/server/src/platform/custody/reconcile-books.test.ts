import { randomUUID } from 'node:crypto'
import type { Database } from '@clearwell/ledger/database'
import type { Posting } from '@clearwell/ledger/entry-hash'
import { openTestDatabase } from '@clearwell/ledger/testing/database'
import { transfer } from '@clearwell/ledger/transfer'
import { Writer } from '@clearwell/ledger/writer'
import type { AssetId } from '@clearwell/money/asset'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Chain, ChainMovements } from '../chain/chain.ts'
import { MIGRATION_FOLDERS } from '../database/open-database.ts'
import { poolAccount, RT_PROGRAM, TREASURY, userAccount, VAULT } from '../ledger/accounts.ts'
import { type Audit, reconcile } from './reconcile.ts'
import { answering, TIP_TEXT } from './testing/answering.ts'

const NOW = new Date('2026-11-30T19:00:00Z')
const [ANN, BEN] = [`0x${'a'.repeat(40)}`, `0x${'b'.repeat(40)}`]
const POOL = poolAccount('eth-usdt')
const RT_SUPPLY = 1_000n

let db: Database
/** The chain has more blocks than the cursor, and the vault holds exactly what the ledger owes. */
let chain: { held: Record<string, bigint>; head: bigint; ranges: object[]; later: Map<bigint, Partial<ChainMovements>> }

beforeEach(async () => {
  db = await openTestDatabase(MIGRATION_FOLDERS)
  chain = { held: { BNB: 7n, USDT: 100n, ETH: 0n }, head: 10n, ranges: [], later: new Map() }
  const writer = await Writer.open({
    ...{ db, clock: { now: () => NOW }, randomId: randomUUID, holder: 'test', leaseTtlMs: 2_000, exclusive: true },
  })
  const post = (postings: readonly Posting[]) =>
    writer.execute({
      ...{ kind: 'post', owner: 'test', payload: {}, preload: [] },
      decide: () => ({ entries: [{ kind: 'test', reference: 'test', postings }], response: {} }),
    })
  const pay = (from: string, to: string, asset: AssetId, units: bigint) => post(transfer({ from, to, asset, units }))
  await pay(VAULT, userAccount(ANN, 'available'), 'USDT', 60n)
  await pay(VAULT, userAccount(BEN, 'available'), 'USDT', 25n)
  await pay(VAULT, TREASURY, 'USDT', 10n)
  await pay(VAULT, POOL, 'USDT', 5n)
  await pay(VAULT, userAccount(ANN, 'locked'), 'BNB', 7n)
  await pay(VAULT, RT_PROGRAM, 'RT', RT_SUPPLY)
  await writer.close()
  await db.query('insert into chain_cursors (id, number, hash, time) values ($1, 10, $2, $3)', ['97', '0x10', NOW])
  await openVoucher('v1', 'signed', 4n)
  await openVoucher('v2', 'locked', 3n)
  await openVoucher('v3', 'completed', 9n)
})
afterEach(() => db.close())

async function openVoucher(id: string, status: string, amount: bigint): Promise<void> {
  const signed = status === 'locked' ? null : '0x5'
  const closed = status === 'completed' ? NOW : null
  await db.query(
    `insert into withdrawal_orders (id, user_id, asset, amount, nonce, deadline, status, signature, created_at, completed_at)
     values ($1, $2, 'BNB', $3, $4, $5, $6, $7, $5, $8)`,
    [id, ANN, amount, BigInt(id.slice(1)), NOW, status, signed, closed],
  )
}

const node = {
  id: 97,
  block: async (number: bigint) => ({ number, hash: `0x${number}`, time: NOW }),
  head: async () => ({ number: chain.head, hash: `0x${chain.head}`, time: NOW }),
  vaultHolding: async (asset: AssetId) => chain.held[asset] ?? 0n,
  async movements(range: { from: bigint; to: bigint }) {
    chain.ranges.push(range)
    return { deposits: [], withdrawals: [], ...chain.later.get(range.from) }
  },
} as unknown as Chain

async function reconciled(options: { rtSupply?: bigint; audits?: Audit[]; through?: Database } = {}) {
  const { rtSupply = RT_SUPPLY, audits = [], through = db } = options
  const found = await reconcile({ db: through, chain: node }, { rtSupply, audits })
  if (!found) throw new Error('no block was read')
  return found
}

const moved = (asset: AssetId, units: bigint, replacedVault?: string) =>
  ({ asset, units, ...(replacedVault === undefined ? {} : { replacedVault }) }) as never

test('every account is in one class, and the books balance', async () => {
  const { classes, ...found } = await reconciled()
  const shown = classes.map(({ name, units }) => [name, ...Object.values(units)])
  expect(shown).toEqual([
    ['users available', 0n, 85n, 0n, 0n],
    ['users locked', 7n, 0n, 0n, 0n],
    ['users collateral', 0n, 0n, 0n, 0n],
    ['users rt_deposit', 0n, 0n, 0n, 0n],
    ['pool eth-usdt', 0n, 5n, 0n, 0n],
    ['rewards', 0n, 0n, 0n, 0n],
    ['referral', 0n, 0n, 0n, 0n],
    ['insurance', 0n, 0n, 0n, 0n],
    ['treasury', 0n, 10n, 0n, 0n],
    ['rt_program', 0n, 0n, 0n, 1_000n],
    ['rt_earnings', 0n, 0n, 0n, 0n],
  ])
  const held = { BNB: 7n, USDT: 100n, ETH: 0n, RT: 1_000n }
  const zero = { BNB: 0n, USDT: 0n, ETH: 0n, RT: 0n }
  expect(found).toEqual({
    cursor: { number: 10n, hash: '0x10', time: NOW },
    ...{ head: 10n, entries: 6n, archived: 0n, sum: held, held, vaultReadAt: 10n, difference: zero },
    ...{ unconfirmedIn: { count: 0, units: zero }, unconfirmedOut: { count: 0, units: zero } },
    openVouchers: { count: 2, units: { ...zero, BNB: 7n } },
    unknownPayments: { count: 0, units: zero },
    ...{ postings: zero, faults: [] },
  })
})

test('a ledger that has read no block is not compared', async () => {
  await db.query('delete from chain_cursors')
  expect(await reconcile({ db, chain: node }, { rtSupply: 0n, audits: [] })).toBeUndefined()
})

test('missing money is a fault, and RT of no account is', async () => {
  chain.held = { BNB: 6n, USDT: 101n, ETH: 0n }
  expect((await reconciled()).faults).toEqual(['BNB: 1 base units are missing'])
  chain.held = { BNB: 7n, USDT: 100n, ETH: 0n }
  expect((await reconciled({ rtSupply: 999n })).faults).toEqual(['RT: 1 base units are missing'])
  expect((await reconciled({ rtSupply: 1_002n })).faults).toEqual([
    'RT: 2 base units of the supply are not in any account',
  ])
})

test('locked amounts are those of open vouchers', async () => {
  await db.query("update withdrawal_orders set amount = 5 where id = 'v1'")
  expect((await reconciled()).faults).toEqual(['BNB: 7 base units are locked, and 8 are in open vouchers'])
})

test('a changed balance and a changed entry are found', async () => {
  await db.query("update balances set units = units + 1 where account = 'treasury'")
  chain.held.USDT = 101n
  expect((await reconciled()).faults).toEqual(['USDT: all balances sum to 1 base units and not to zero'])
  await db.script('alter table entries disable trigger entries_append_only')
  await db.query('update entries set amounts[2] = amounts[2] + 4 where seq = 5')
  expect((await reconciled()).faults).toEqual([
    'BNB: all postings sum to 4 base units and not to zero',
    'USDT: all balances sum to 1 base units and not to zero',
  ])
})

test('an unknown account is listed, and audits add faults', async () => {
  await db.query("insert into balances (account, asset, units) values ('odd', 'ETH', 3)")
  await db.query("update balances set units = units - 3 where account = 'vault' and asset = 'USDT'")
  const first: Audit = async (tx) => (await tx.query('select 1')).map(() => 'the first audit')
  const { classes, faults } = await reconciled({ audits: [first, async () => ['the second', 'the third']] })
  expect(classes.at(-1)).toEqual({ name: 'odd', units: { BNB: 0n, USDT: 0n, ETH: 3n, RT: 0n } })
  expect(faults).toEqual([
    'USDT: all balances sum to -3 base units and not to zero',
    'ETH: 3 base units are missing',
    'ETH: all balances sum to 3 base units and not to zero',
    ...['the first audit', 'the second', 'the third'],
  ])
})

test('payments that are not settled are counted', async () => {
  for (const [id, settledAt] of [
    ['u1', null],
    ['u2', null],
    ['u3', NOW],
  ] as const)
    await db.query(
      `insert into unknown_withdrawals (id, reason, account, asset, units, nonce, tx_hash, block_number, seen_at, settled_at,
         paid_by_account, paid_by_insurance, paid_by_treasury)
       values ($1, 'no order', $2, 'ETH', 6, 1, '0x1', 9, $3, $4, $5, $5, $5)`,
      [id, ANN, NOW, settledAt, settledAt === null ? null : 2n],
    )
  expect((await reconciled()).unknownPayments).toEqual({ count: 2, units: { BNB: 0n, USDT: 0n, ETH: 12n, RT: 0n } })
})

test('blocks after the cursor are read 2,000 at a time', async () => {
  chain.head = 4_011n
  // Movements of a replaced vault are left out.
  chain.later.set(11n, { deposits: [moved('USDT', 5n), moved('USDT', 6n), moved('BNB', 1n, BEN)] })
  chain.later.set(2_011n, {
    withdrawals: [moved('USDT', 9n), moved('ETH', 1n, BEN)],
    exits: [moved('ETH', 2n), moved('ETH', 4n, BEN)],
  })
  chain.later.set(4_011n, { deposits: [moved('BNB', 8n)], exits: [moved('USDT', 1n)] })
  const { unconfirmedIn, unconfirmedOut } = await reconciled()
  expect(chain.ranges).toEqual([
    { from: 11n, to: 2_010n },
    { from: 2_011n, to: 4_010n },
    { from: 4_011n, to: 4_011n },
  ])
  expect(unconfirmedIn).toEqual({ count: 3, units: { BNB: 8n, USDT: 11n, ETH: 0n, RT: 0n } })
  expect(unconfirmedOut).toEqual({ count: 3, units: { BNB: 0n, USDT: 10n, ETH: 2n, RT: 0n } })
})

test.each([
  [
    100_000n,
    4n,
    [
      ['0', '50000'],
      ['50000', '100000'],
    ],
  ],
  [
    100_001n,
    6n,
    [
      ['0', '50000'],
      ['50000', '100000'],
      ['100000', '100001'],
    ],
  ],
])('%i entries are summed 50,000 at a time', async (tip, sum, summed) => {
  const ranges: unknown[] = []
  const through = answering(db, (text, params) => {
    if (text.includes(TIP_TEXT)) return [{ seq: tip, hash: new Uint8Array(32), at: NOW }]
    if (!text.includes('from postings')) return undefined
    ranges.push(params)
    return [{ asset: 'ETH', units: 2n }]
  })
  const { entries, postings, faults } = await reconciled({ through })
  expect(ranges).toEqual(summed)
  const fault = `ETH: all postings sum to ${sum} base units and not to zero`
  expect([entries, postings.ETH, faults]).toEqual([tip, sum, [fault]])
})
