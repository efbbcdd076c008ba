import type { Database } from '@clearwell/ledger/database'
import { readTip } from '@clearwell/ledger/reads'
import { openTestDatabase } from '@clearwell/ledger/testing/database'
import { Writer } from '@clearwell/ledger/writer'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Chain } from '../chain/chain.ts'
import { MIGRATION_FOLDERS } from '../database/open-database.ts'
import { userAccount, VAULT } from '../ledger/accounts.ts'
import { createSolvencyCheck, type SolvencyCheck } from './solvency.ts'
import { answering, TIP_TEXT } from './testing/answering.ts'

const USER = userAccount(`0x${'a'.repeat(40)}`, 'available')

let db: Database
let writer: Writer
let nowMs: number
/** The chain's state, and the number of reads of the vault. */
let chain: { hash: string; BNB: bigint; asked: number; firstBNB?: bigint | undefined }
let check: SolvencyCheck
let port: object

beforeEach(async () => {
  db = await openTestDatabase(MIGRATION_FOLDERS)
  nowMs = Date.parse('2026-11-21T09:00:00Z')
  chain = { hash: '0xb10c', BNB: 100n, asked: 0 }
  const clock = { now: () => new Date(nowMs) }
  let ids = 0
  const randomId = () => `seed${ids++}`
  writer = await Writer.open({ db, clock, randomId, holder: 'test', leaseTtlMs: 60_000, exclusive: true })
  port = {
    id: 31337,
    block: async (number: bigint) => ({ number, hash: chain.hash, time: clock.now() }),
    async vaultHolding(asset: string, at: bigint) {
      expect(at).toBe(7n)
      chain.asked++
      if (asset !== 'BNB') return 0n
      const units = chain.firstBNB ?? chain.BNB
      chain.firstBNB = undefined
      return units
    },
  }
  check = createSolvencyCheck({ db, chain: port as unknown as Chain, clock })
})
afterEach(async () => {
  await writer.close()
  await db.close()
})

async function readBlock(hash: string): Promise<void> {
  await db.query(
    `insert into chain_cursors (id, number, hash, time) values ('31337', 7, $1, now())
     on conflict (id) do update set hash = excluded.hash`,
    [hash],
  )
  chain.hash = hash
}

async function deposit(units: bigint): Promise<void> {
  const postings = [
    { account: VAULT, asset: 'BNB', units: -units },
    { account: USER, asset: 'BNB', units },
  ]
  const entries = [{ kind: 'deposit', reference: 'test', postings }]
  await writer.execute({
    kind: 'test',
    owner: 'test',
    payload: {},
    preload: [],
    decide: () => ({ entries, response: null }),
  })
}

test('the solvency check is not ready before the first block', async () => {
  await expect(check.run()).rejects.toThrow('not read a block')
})

test('the solvency check passes without a shortfall and fails by one unit', async () => {
  await readBlock('0x01')
  await deposit(100n)
  expect(await check.run()).toMatchObject({ ok: true, block: 7n, surplus: undefined })
  chain.BNB = 101n
  expect(await check.run()).toMatchObject({ ok: true, surplus: { key: '0.000000000000000001 BNB too much' } })
  chain.BNB = 99n
  expect(await check.run()).toMatchObject({ ok: false, fault: { key: '0.000000000000000001 BNB missing' } })
})

test('the solvency check reads a shortfall twice before it reports it', async () => {
  await readBlock('0x01')
  await deposit(100n)
  chain.firstBNB = 99n
  expect(await check.run()).toMatchObject({ ok: true, block: 7n, surplus: undefined })
  chain.firstBNB = 98n
  chain.BNB = 99n
  expect(await check.run()).toMatchObject({ ok: false, fault: { key: '0.000000000000000001 BNB missing' } })
})

test('the solvency check names the block, the entry and all figures', async () => {
  await readBlock('0x01')
  await deposit(100n)
  const { hash } = await readTip(db)
  const read = {
    checkedAt: new Date(nowMs),
    block: { number: 7n, hash: '0x01', time: expect.any(Date) },
    entry: { seq: 1n, hash: Buffer.from(hash).toString('hex') },
  }
  const figures = (vault: bigint) => [
    { asset: 'BNB', vault, owed: 100n },
    { asset: 'USDT', vault: 0n, owed: 0n },
    { asset: 'ETH', vault: 0n, owed: 0n },
  ]
  expect((await check.run()).check).toEqual({ ...read, figures: figures(100n), fault: undefined })
  chain.BNB = 99n
  expect((await check.run()).check).toEqual({ ...read, figures: figures(99n), fault: 'missing' })
  await db.query(`update balances set units = -1 where account = 'vault'`)
  expect((await check.run()).check).toEqual({ ...read, figures: [], fault: 'ledger' })
})

test('the solvency check reuses a recent result of the same block', async () => {
  await readBlock('0x01')
  await deposit(100n)
  await check.run({ reuse: true })
  await check.run({ reuse: true })
  expect(chain.asked).toBe(3)
  await check.run()
  expect(chain.asked).toBe(6)
  nowMs += 5_000
  await check.run({ reuse: true })
  expect(chain.asked).toBe(6)
  nowMs += 1
  await check.run({ reuse: true })
  expect(chain.asked).toBe(9)
  await readBlock('0x02')
  await check.run({ reuse: true })
  expect(chain.asked).toBe(12)
})

test.each([
  [10_000n, '0'],
  [10_001n, '1'],
])('the first check of %i entries sums those after %s', async (tip, after) => {
  await readBlock('0x01')
  let seq = tip
  const ranges: unknown[] = []
  const through = answering(db, (text, params) => {
    if (text.includes('from postings')) ranges.push(params)
    return text.includes(TIP_TEXT) ? [{ seq, hash: new Uint8Array(32), at: new Date(0) }] : undefined
  })
  const first = createSolvencyCheck({
    db: through,
    chain: port as unknown as Chain,
    clock: { now: () => new Date(nowMs) },
  })
  chain.BNB = 0n
  await first.run()
  seq += 7n
  await first.run()
  expect(ranges).toEqual([
    [after, String(tip)],
    [String(tip), String(tip + 7n)],
  ])
})

test('the solvency check keeps failing after postings do not sum to zero', async () => {
  await readBlock('0x01')
  await deposit(100n)
  await check.run()
  await db.script('alter table entries disable trigger entries_append_only')
  await deposit(5n)
  await db.query('update entries set amounts[2] = amounts[2] + 4 where seq = 2')
  chain.BNB = 200n
  for (let again = 0; again < 2; again++) {
    expect(await check.run()).toMatchObject({
      ok: false,
      fault: { text: 'the postings of entries 2 to 2 do not sum to zero: 4 base units of BNB' },
    })
  }
})

test('the solvency check detects a manually changed vault balance', async () => {
  await readBlock('0x01')
  await deposit(100n)
  await db.query(`update balances set units = -1 where account = 'vault'`)
  expect(await check.run()).toMatchObject({ ok: false, fault: { text: expect.stringContaining('BNB') } })
})
