import type { Database } from '@clearwell/ledger/database'
import { openTestDatabase } from '@clearwell/ledger/testing/database'
import { NotReady } from '@clearwell/ledger/writer'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ChainMovements } from '../chain/chain.ts'
import { MIGRATION_FOLDERS } from '../database/open-database.ts'
import { createPayoutGuard } from './payout-guard.ts'
import type { LostVouchers } from './withdrawals.ts'

const SIGNER = `0x${'5'.repeat(40)}`
const OTHER = `0x${'9'.repeat(40)}`
const NOW = new Date('2026-11-30T19:00:00Z')

let db: Database
/** The ranges that the guard requested from the chain, and the nonces it looked up. */
let asked: { ranges: { from: bigint; to: bigint }[]; nonces: (readonly bigint[])[] }
let head: bigint
let lost: LostVouchers | undefined
let reports: string[]

beforeAll(async () => {
  db = await openTestDatabase(MIGRATION_FOLDERS)
})
afterAll(() => db.close())
beforeEach(async () => {
  await db.query('delete from chain_cursors')
  await db.query('delete from unknown_withdrawals')
  asked = { ranges: [], nonces: [] }
  head = 12n
  lost = undefined
  reports = []
})

/** The guard of a server that signs with this account. The vault has paid the nonces 5 and 6 after the cursor. */
function guardOf(signer = SIGNER) {
  const payments = [5n, 6n].map((nonce) => ({ nonce })) as unknown as ChainMovements['withdrawals']
  return createPayoutGuard({
    db,
    signer,
    chain: {
      id: 97,
      head: async () => ({ number: head, hash: `0x${head}`, time: NOW }),
      movements: async (range) => {
        asked.ranges.push(range)
        return { deposits: [], withdrawals: payments }
      },
    },
    findLost: async (nonces) => {
      asked.nonces.push(nonces)
      return lost
    },
    onError: (error, task) => void reports.push(`${task}: ${(error as Error).message}`),
  })
}

const setCursor = (number: bigint) =>
  db.query('insert into chain_cursors (id, number, hash, time) values ($1, $2, $3, $4)', ['97', number, '0xa', NOW])

test('a ledger that has read no block may sign', async () => {
  expect(await guardOf()()).toBeUndefined()
  expect(asked).toEqual({ ranges: [], nonces: [] })
})

test('payments after the cursor are searched once for each head', async () => {
  await setCursor(10n)
  const check = guardOf()
  expect([await check(), await check()]).toEqual([undefined, undefined])
  expect(asked).toEqual({ ranges: [{ from: 11n, to: 12n }], nonces: [[5n, 6n]] })
  head = 13n
  expect(await check()).toBeUndefined()
  expect(asked.ranges.slice(1)).toEqual([{ from: 11n, to: 13n }])
})

test.each([
  ['the signer of here', SIGNER, 'ledger_behind'],
  ['no signer that the ledger knows', undefined, 'ledger_behind'],
  ['another signer', OTHER, undefined],
] as const)('a lost voucher of %s', async (_who, lastSigner, reason) => {
  await setCursor(10n)
  lost = { lastSigner }
  const check = guardOf()
  const text =
    'withdrawals: the vault has paid vouchers that the ledger does not know: nothing is signed until the vault has another signer, see docs/recipes/restore-a-backup.md'
  // It is searched again while it is there, and reported once, the first time.
  for (const times of [1, 2]) {
    expect(await check()).toBe(reason)
    expect(asked.ranges).toHaveLength(times)
    expect(reports).toEqual(reason ? [text] : [])
  }
})

test('a booked lost voucher stops its signer without asking the chain', async () => {
  await setCursor(10n)
  await db.query(
    `insert into unknown_withdrawals (id, reason, account, asset, units, nonce, tx_hash, block_number, seen_at, lost_signer)
     values ('97:0x1:0', 'no order has its nonce', $1, 'USDT', 1, 4, '0x1', 9, $2, $3)`,
    [`0x${'a'.repeat(40)}`, NOW, SIGNER],
  )
  expect(await guardOf()()).toBe('ledger_behind')
  expect(asked.ranges).toEqual([])
  expect(await guardOf(OTHER)()).toBeUndefined()
})

test('2,000 blocks after the cursor are searched, and more are waited for', async () => {
  await setCursor(10n)
  head = 2_010n
  expect(await guardOf()()).toBeUndefined()
  head = 2_011n
  const refused = guardOf()()
  await expect(refused).rejects.toThrow(NotReady)
  await expect(refused).rejects.toMatchObject({ part: 'chain' })
  expect(asked.ranges).toEqual([{ from: 11n, to: 2_010n }])
})
