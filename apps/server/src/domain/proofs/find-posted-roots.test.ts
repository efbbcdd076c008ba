import type { Database } from '@clearwell/ledger/database'
import { openTestDatabase } from '@clearwell/ledger/testing/database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MIGRATION_FOLDERS } from '../../platform/database/open-database.ts'
import { findOwnHeaders, findPostedRoot, findRootsAround } from './find-posted-roots.ts'

const NOON = new Date('2026-11-28T12:00:00Z')
const at = (minutes: number, ms = 0) => new Date(NOON.getTime() + minutes * 60_000 + ms)
const VAULT = '0xv'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase(MIGRATION_FOLDERS)
  for (const [seq, minutes, isVoid] of [
    [1, 0, false],
    [2, 30, true],
    [3, 60, false],
    // Two in one block.
    [4, 90, false],
    [5, 90, false],
    [6, 120, true],
  ] as const)
    await post({ vault: VAULT, seq, minutes, isVoid })
  // The ledger has left this one.
  await post({ vault: '0xleft', seq: 7, minutes: 45, isVoid: false })
  for (const number of [10, 11])
    await db.query(
      `insert into proof_headers (id, number, previous, hash, ledger_seq, made_at)
       values ($1::text, $1::bigint, $2, $3, 1, $4)`,
      [`${number}`, `0x${number - 1}`, `0x${number}`, NOON],
    )
})
afterAll(() => db.close())

async function post(of: { vault: string; seq: number; minutes: number; isVoid: boolean }): Promise<void> {
  const { vault, seq, minutes, isVoid } = of
  await db.query(
    `insert into posted_roots (id, vault, seq, number, header_hash, posted_at, tx_hash, block, is_void)
     values ($1, $2, $3, $4, $5, $6, $7, 100, $8)`,
    [`${vault}:${seq}`, vault, seq, 70 + seq, `0xh${seq}`, at(minutes), `0xt${seq}`, isVoid],
  )
}

test.each([
  ['before the first root', at(0, -1), undefined],
  ['at the first root', at(0), [1n, 3n]],
  ['after a void root', at(60, -1), [1n, 3n]],
  ['at a later root', at(60), [3n, 4n]],
  ['at two roots of one block', at(90), [5n, undefined]],
  ['long after the last root', at(9_000), [5n, undefined]],
])('finds the base of an exit and its successor %s', async (_when, until, seqs) => {
  const around = await findRootsAround(db, { vault: VAULT, until })
  expect(around && [around.base.seq, around.next?.seq]).toEqual(seqs)
})

test('a vault without roots has no base', async () => {
  expect(await findRootsAround(db, { vault: '0xother', until: at(9_000) })).toBeUndefined()
})

test('finds a root by its vault and count, unless void', async () => {
  expect(await findPostedRoot(db, VAULT, 3n)).toEqual({
    ...{ id: '0xv:3', vault: VAULT, seq: 3n, number: 73n, header_hash: '0xh3', posted_at: at(60) },
    ...{ tx_hash: '0xt3', block: 100n, is_void: false },
  })
  for (const seq of [2n, 7n, 8n]) expect(await findPostedRoot(db, VAULT, seq)).toBeUndefined()
  expect(await findPostedRoot(db, '0xleft', 7n)).toMatchObject({ number: 77n })
})

test('finds the headers that the ledger has, by number and hash', async () => {
  const header = (number: bigint, headerHash: string) => ({ number, headerHash })
  const posted = [header(10n, '0x10'), header(11n, '0xforeign'), header(12n, '0x11')]
  expect([...(await findOwnHeaders(db, posted))]).toEqual([10n])
  expect([...(await findOwnHeaders(db, [...posted, header(11n, '0x11')]))]).toEqual([10n, 11n])
  expect((await findOwnHeaders(db, [])).size).toBe(0)
})
