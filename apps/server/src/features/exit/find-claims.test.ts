import type { Database } from '@clearwell/ledger/database'
import type { WriterTable } from '@clearwell/ledger/table'
import { openTestDatabase } from '@clearwell/ledger/testing/database'
import type { AssetId } from '@clearwell/money/asset'
import { E18 } from '@clearwell/money/scale'
import { emptyHeader } from '@clearwell/proofs/empty-header'
import { encodeHeader, type Header } from '@clearwell/proofs/header'
import { zeroHash } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { OwnLeaf } from '../../domain/proofs/own-leaves-port.ts'
import { postedRoots, postId } from '../../domain/proofs/posted-roots.ts'
import { proofHeaderBodies, proofHeaders } from '../../domain/proofs/proof.tables.ts'
import { headerJson } from '../../domain/proofs/record-header.ts'
import { countedExits } from '../../platform/custody/counted-exits.ts'
import { exitPayments } from '../../platform/custody/exit-payments.ts'
import { vaultCounters } from '../../platform/custody/vault-counters.ts'
import { replacedVaults } from '../../platform/custody/watched-vault.ts'
import { MIGRATION_FOLDERS } from '../../platform/database/open-database.ts'
import { CUT_MS } from './describe-exit.ts'
import { findClaims } from './find-claims.ts'

const tokenOf = (byte: string) => `0x${byte.repeat(20)}` as const
const TOKENS = { BNB: tokenOf('00'), USDT: tokenOf('05'), ETH: tokenOf('0e'), RT: tokenOf('54') }
/** The ledger has left one. The last two have a single root. */
const [VAULT, LEFT_VAULT, YOUNG_VAULT, FORGED_VAULT] = ['0xvault', '0xleft', '0xyoung', '0xforged']
const LEFT_AT = new Date('2026-11-20T09:00:00Z')
const EXIT_AT = new Date('2026-11-01T12:00:00Z')
const after = (time: Date, ms: number) => new Date(time.getTime() + ms)
const CUT = after(EXIT_AT, CUT_MS)

let db: Database
beforeAll(async () => {
  db = await openTestDatabase(MIGRATION_FOLDERS)
  for (const number of [11n, 12n, 13n]) await recordHeader(number)
  for (const vault of [VAULT, LEFT_VAULT]) for (const seq of [1n, 2n, 3n, 4n]) await post(vault, seq)
  await post(YOUNG_VAULT, 2n)
  await post(FORGED_VAULT, 2n, '0xother')
  await save(replacedVaults, { id: `56:${LEFT_VAULT}`, chain_id: '56', vault: LEFT_VAULT, replaced_at: LEFT_AT })
})
afterAll(() => db.close())

let account: string
let payments: number
let accounts = 0
beforeEach(() => {
  account = `0xaccount${accounts++}`
  payments = 0
})

/** Writes a row as the writer does. */
async function save<Row extends { readonly id: string }>(table: WriterTable<Row>, row: Row): Promise<void> {
  const { text, params } = table.saveStatement([row])
  await db.query(text, params)
}

/** Header 12 has read the chain up to block 200. */
function headerOf(number: bigint): Header {
  const cursor = { number: (number - 10n) * 100n, hash: zeroHash, time: 1_793_000_000 }
  return emptyHeader({ number, cursor, tokens: [TOKENS.BNB, TOKENS.USDT, TOKENS.ETH] })
}

async function recordHeader(number: bigint): Promise<void> {
  const id = `${number}`
  const recorded = { previous: `0x${number - 1n}`, hash: `0x${number}`, ledger_seq: number, made_at: EXIT_AT }
  await save(proofHeaders, { id, number, ...recorded })
  const signed = { root_signature: '0xr', book_signature: '0xb', book_refusal: null, tx_hash: '0x1' }
  const posted = { posted_at: EXIT_AT, made_at: EXIT_AT, lines: null }
  await save(proofHeaderBodies, { id, header: headerJson(headerOf(number)), ...signed, ...posted })
}

/** Root 1 has header 11, and so on. The second is at the cut of {@link EXIT_AT}. Header 14 is of another ledger. */
async function post(vault: string, seq: bigint, header_hash = `0x${10n + seq}`): Promise<void> {
  const root = { seq, number: 10n + seq, header_hash, tx_hash: `0xt${seq}`, block: 300n, is_void: false }
  await save(postedRoots, { id: postId(vault, seq), vault, ...root, posted_at: after(CUT, Number(seq - 2n) * 5_000) })
}

/** The vault has paid an exit. @param of.countedBy the vault whose counters have it; absent: none */
async function pay(of: {
  readonly units?: bigint
  readonly asset?: AssetId
  readonly block?: bigint
  readonly base?: bigint | null
  readonly bookedAt?: Date
  readonly takenBackAt?: Date
  readonly countedBy?: string
  readonly uncountedAt?: Date
}): Promise<void> {
  const { units = 0n, asset = 'USDT', block = 1n, base = null, bookedAt = EXIT_AT, takenBackAt = null } = of
  const id = `56:${account}:${payments++}`
  const row = { user_id: account, asset, units, missing: 0n, receiver: '0xto', tx_hash: '0x1', block, base }
  await save(exitPayments, { id, ...row, booked_at: bookedAt, taken_back_at: takenBackAt })
  if (of.countedBy === undefined) return
  const counted = { vault: of.countedBy, account, asset, units, counted_at: EXIT_AT }
  await save(countedExits, { id, ...counted, taken_back_at: of.uncountedAt ?? takenBackAt })
}

async function count(
  units: { readonly deposited?: bigint; readonly paid?: bigint; readonly exited?: bigint },
  { vault = VAULT, asset = 'USDT' as AssetId } = {},
): Promise<void> {
  const row = { vault, account, asset, deposited: 0n, paid: 0n, exited: 0n, ...units }
  await save(vaultCounters, { id: `${vault}:${account}:${asset}`, ...row })
}

const leafOf = (free: bigint, changes: Partial<OwnLeaf> = {}): OwnLeaf => ({
  ...{ kind: 'user', asset: 'USDT', free: `${free}`, deposited_seen: '0', paid_seen: '0', salt: '0x5a', index: 9 },
  path: [{ hash: '0xaa', sum: '7', side: 'left' }],
  ...changes,
})

/** @param leaves by the number of their header. By default the account has one USDT more than the number. */
const find = ({
  vault = VAULT,
  exitAt = EXIT_AT,
  leaves = (number: bigint): OwnLeaf[] | undefined => [leafOf((number + 1n) * E18)],
} = {}) =>
  findClaims(
    {
      ...{ db, tokens: TOKENS },
      leaves: {
        async inHeader(of, number, at) {
          expect([of, at]).toEqual([account, vault])
          return leaves(number)
        },
      },
    },
    { account, exitAt, vault },
  )

/** Finds the roots that the vault gets, and the amounts. */
async function summarize(of: Parameters<typeof find>[0] = {}) {
  const found = await find(of)
  return found && [found.roots.map(({ seq }) => seq), found.claims.map(({ asset, amount }) => `${amount} ${asset}`)]
}

test('returns all arguments for an exit', async () => {
  await count({ deposited: 50n * E18, paid: 7n * E18, exited: 5n * E18 })
  const leaf = leafOf(100n * E18, { deposited_seen: `${20n * E18}`, paid_seen: `${3n * E18}` })
  expect(await find({ leaves: () => [leaf] })).toEqual({
    vault: VAULT,
    base: { number: '12', posted_at: '2026-11-07T12:00:00.000Z', tx_hash: '0xt2' },
    roots: [{ header: encodeHeader(headerOf(12n)), posted_at: 1_794_052_800, seq: 2 }],
    next: { header_hash: '0x13', posted_at: 1_794_052_805, seq: 3 },
    claims: [
      {
        // 100 + (50 − 20) − (7 + 5 − 3)
        ...{ asset: 'USDT', amount: '121', token: TOKENS.USDT, index: 1, place: 9 },
        leaf: { salt: '0x5a', free: `${100n * E18}`, deposited_seen: `${20n * E18}`, paid_seen: `${3n * E18}` },
        path: [{ hash: '0xaa', sum: '7' }],
      },
    ],
  })
})

test.each([
  ['before the first root', after(EXIT_AT, -5_001), undefined],
  ['before the second', after(EXIT_AT, -1), [11, 2]],
  ['at the last root of this ledger', after(EXIT_AT, 5_000), [13, 4]],
  ['at a root of another ledger', after(EXIT_AT, 10_000), undefined],
])('finds the base of an exit %s', async (_when, exitAt, numbers) => {
  const found = await find({ exitAt })
  expect(found && [Number(found.base.number), found.next.seq]).toEqual(numbers)
  expect(found?.claims.map(({ amount }) => amount)).toEqual(numbers && [`${(numbers[0] ?? 0) + 1}`])
})

test('returns a next root of zeros while none is later', async () => {
  const next = { header_hash: zeroHash, posted_at: 0, seq: 0 }
  expect(await find({ vault: YOUNG_VAULT })).toMatchObject({ vault: YOUNG_VAULT, base: { number: '12' }, next })
})

test('finds nothing under a root with the number of another header', async () => {
  await pay({ base: 2n, countedBy: FORGED_VAULT })
  expect(await find({ vault: FORGED_VAULT })).toBeUndefined()
})

test('finds nothing where the server has no path', async () => {
  expect(await find({ leaves: () => undefined })).toBeUndefined()
  expect(await find({ leaves: () => [] })).toMatchObject({ base: { number: '12' }, claims: [] })
})

test('counts only what the vault knows of the account', async () => {
  await count({ deposited: 4n * E18 }, { asset: 'BNB' })
  await count({ deposited: 8n * E18, paid: E18 }, { vault: LEFT_VAULT })
  const own = account
  account = `${account}other`
  await count({ deposited: 16n * E18 })
  await pay({ units: 2n * E18, block: 900n, base: 1n, countedBy: VAULT })
  await pay({ units: 2n * E18, block: 900n, base: 1n, bookedAt: LEFT_AT })
  account = own
  expect(await summarize()).toEqual([[2], ['4 BNB', '13 USDT']])
  expect(await summarize({ vault: LEFT_VAULT })).toEqual([[2], ['20 USDT']])
})

// The base has read the chain up to block 200. Under header 11 the account has 12 USDT, under header 12 it has 13.
test.each([
  ['a block that the base has read', 199n, 1n, [[2], ['13 USDT']]],
  ['the last block that the base has read', 200n, 1n, [[2], ['13 USDT']]],
  ['a later block', 201n, 1n, [[2, 1], ['12 USDT']]],
  ['a later block, under the base', 201n, 2n, [[2], ['13 USDT']]],
])('finds the roots after a payment in %s', async (_where, block, base, found) => {
  await pay({ block, base, countedBy: VAULT })
  expect(await summarize()).toEqual(found)
})

test('the last payment that the chain has decides the root', async () => {
  await pay({ block: 1_000n, base: 2n, countedBy: VAULT })
  await pay({ block: 999n, base: 1n, countedBy: VAULT })
  expect(await summarize()).toEqual([[2], ['13 USDT']])
  await pay({ block: 1_002n, base: 1n, countedBy: VAULT })
  expect(await summarize()).toEqual([[2, 1], ['12 USDT']])
  await pay({ block: 1_003n, base: 2n, countedBy: VAULT, takenBackAt: LEFT_AT })
  // Of an earlier version, without its base.
  await pay({ block: 1_004n, countedBy: VAULT })
  expect(await summarize()).toEqual([[2, 1], ['12 USDT']])
})

test('a payment under a root of another vault decides nothing', async () => {
  // That vault was left later, and has more roots.
  await pay({ block: 201n, base: 9n, bookedAt: LEFT_AT })
  expect(await summarize({ vault: LEFT_VAULT })).toEqual([[2], ['13 USDT']])
})

test('an earlier root needs its header only where it decides', async () => {
  await pay({ block: 200n, base: 4n, countedBy: VAULT })
  expect(await summarize()).toEqual([[2], ['13 USDT']])
  await pay({ block: 201n, base: 4n, countedBy: VAULT })
  expect(await summarize()).toBeUndefined()
})

test.each([
  ['before the ledger left it', { bookedAt: after(LEFT_AT, -1) }, [[2], ['13 USDT']]],
  ['when the ledger left it', { bookedAt: LEFT_AT }, [[2, 1], ['9 USDT']]],
  ['that a reorganisation took back', { bookedAt: LEFT_AT, takenBackAt: LEFT_AT }, [[2], ['13 USDT']]],
  // Its units are in the counters of that vault.
  ['that its counters have', { bookedAt: LEFT_AT, countedBy: LEFT_VAULT }, [[2, 1], ['12 USDT']]],
  ['of the ledger’s vault', { bookedAt: LEFT_AT, countedBy: VAULT }, [[2], ['13 USDT']]],
])('finds claims at a left vault after a payment %s', async (_which, payment, found) => {
  await pay({ units: 3n * E18, block: 201n, base: 1n, ...payment })
  expect(await summarize({ vault: LEFT_VAULT })).toEqual(found)
})

test('counts a payment that a reorganisation put after the move', async () => {
  // It was counted before the move. A rewind took it back, and the chain has it again.
  await pay({ units: 3n * E18, bookedAt: LEFT_AT, countedBy: LEFT_VAULT, uncountedAt: EXIT_AT })
  expect(await summarize({ vault: LEFT_VAULT })).toEqual([[2], ['10 USDT']])
})

test('adds payments since a move to the counters of each asset', async () => {
  const leaves = () => [leafOf(20n * E18), leafOf(30n * E18, { asset: 'BNB' })]
  await count({ deposited: 4n * E18, paid: E18, exited: 2n * E18 }, { vault: LEFT_VAULT })
  await pay({ units: 5n * E18, bookedAt: LEFT_AT })
  await pay({ units: 5n * E18, bookedAt: LEFT_AT })
  await pay({ units: 7n * E18, bookedAt: LEFT_AT, asset: 'BNB' })
  // 20 + 4 − 1 − 2 − 5 − 5
  expect(await summarize({ vault: LEFT_VAULT, leaves })).toEqual([[2], ['23 BNB', '11 USDT']])
  expect(await summarize({ leaves })).toEqual([[2], ['30 BNB', '20 USDT']])
})
