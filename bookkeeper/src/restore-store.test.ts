import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RowWrite, write } from '@clearwell/ledger/command'
import type { Database } from '@clearwell/ledger/database'
import { expectBooksBalanced, openTestDatabase } from '@clearwell/ledger/testing/database'
import { boxes, boxTallies, type DayRow } from '@clearwell/server/src/domain/boxes/box.tables.ts'
import { recordDay } from '@clearwell/server/src/domain/boxes/day-records.ts'
import { activateMember } from '@clearwell/server/src/domain/members/activate-member.ts'
import {
  OPERATOR,
  ROOT_KEY,
  SETTINGS,
  SOURCE,
  userOf,
} from '@clearwell/server/src/domain/proofs/testing/proof-ledger.ts'
import { forfeitDay } from '@clearwell/server/src/features/blind-box/box-money.ts'
import { growTree, rootedDay } from '@clearwell/server/src/features/blind-box/grow-tree.ts'
import { closedDay } from '@clearwell/server/src/features/blind-box/testing/closed-day.ts'
import { richProgram } from '@clearwell/server/src/features/rich/rich.tables.ts'
import { NEW_PROGRAM } from '@clearwell/server/src/features/rich/rich-books.ts'
import { executeRestore } from '@clearwell/server/src/operator/restore/execute-restore.ts'
import { findPayments, type Payment } from '@clearwell/server/src/operator/restore/find-payments.ts'
import { planRestore } from '@clearwell/server/src/operator/restore/plan-restore.ts'
import { readStore } from '@clearwell/server/src/operator/restore/read-store.ts'
import type { Chain, ChainDeposit, ChainWithdrawal } from '@clearwell/server/src/platform/chain/chain.ts'
import type { ExitAct } from '@clearwell/server/src/platform/chain/exit-act.ts'
import { MIGRATION_FOLDERS } from '@clearwell/server/src/platform/database/open-database.ts'
import { readHeaderTimes } from '@clearwell/server/src/platform/ledger/header-age.ts'
import { loadStop, noteSilence } from '@clearwell/server/src/platform/ledger/repayment-stop.ts'
import { refuseHalfRestored } from '@clearwell/server/src/platform/ledger/restores.ts'
import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Bookkeeper, openBookkeeper } from './bookkeeper.ts'
import { ALICE, BOB, DATA_SECRET, HEAD, openProductLedger, type ProductLedger } from './testing/product-ledger.ts'

/** The database is empty: the backup is from before the first entry. */
const KEY = privateKeyToAccount(`0x${'b0'.repeat(32)}`)
const CUSTODY = {
  operator: OPERATOR,
  tokens: (['USDT', 'ETH'] as const).map((asset) => ({
    asset,
    address: SETTINGS.tokens[asset] as `0x${string}`,
    decimals: 18,
  })),
}
const TOKENS = (['USDT', 'ETH', 'RT'] as const).map((asset) => ({
  asset,
  address: SETTINGS.tokens[asset],
  decimals: 18,
}))
const KEYS = { rootKey: ROOT_KEY.address.toLowerCase(), bookkeepers: [KEY.address.toLowerCase()] }
const SITE = { chainId: 97, custody: { vault: SETTINGS.domain.vault, tokens: TOKENS }, keys: KEYS }
const NOW = new Date('2026-11-28T06:00:00Z')

let ledger: ProductLedger
let folder: string
let path: string
let bookkeeper: Bookkeeper
let db: Database
/** Acts of roots and accounts on the vault. */
let acts: ExitAct[]
beforeEach(async () => {
  acts = []
  ledger = await openProductLedger()
  db = await openTestDatabase(MIGRATION_FOLDERS)
  folder = await mkdtemp(join(tmpdir(), 'clearwell-store-'))
  path = join(folder, 'ledger.jsonl')
  bookkeeper = await openBookkeeper({
    ...{ folder, key: KEY, dataSecret: DATA_SECRET, expected: HEAD, startBlock: 1n },
    openNode: () => ledger.node,
    nowMs: () => ledger.server.clock.at.getTime(),
  })
})
afterEach(async () => {
  await bookkeeper.close()
  await ledger.server.close()
  await db.close()
  await rm(folder, { recursive: true })
})

async function trade() {
  await ledger.deposit(ALICE, 'USDT', 50_000n)
  await ledger.deposit(BOB, 'ETH', 7_000n)
  await ledger.swap(ALICE, 10_000n)
  await ledger.withdraw(ALICE, 'BNB', 1_000n)
}

/** Has both keys sign a header, and the bookkeeper store it with all entries. */
async function follow() {
  await ledger.makeHeader(async () => 'none')
  await bookkeeper.take(await ledger.batch(bookkeeper.stored))
  expect(await bookkeeper.advance()).toBeUndefined()
  const said = bookkeeper.statementOf(`${bookkeeper.last}`)
  await ledger.makeHeader(async () => ({ signature: said?.signature as `0x${string}` }))
  await bookkeeper.take(await ledger.batch(bookkeeper.stored))
}

/** The chain that the ledger belongs to, as the server reads it. */
function chainOf(): Chain {
  const read = ({ from, to }: { from: bigint; to: bigint }, tx?: string) => {
    const found = ledger.events.filter(
      ({ block, event }) => block >= from && block <= to && (tx === undefined || tx === event.tx),
    )
    const movement = ({ block, event }: (typeof found)[number]) => ({
      ...{ txHash: event.tx, logIndex: 0, blockNumber: block, blockHash: '0x', account: event.account },
      ...{ asset: event.asset, units: BigInt(event.units), orderId: null, nonce: BigInt(event.tx) },
    })
    const of = (kind: string) => found.filter(({ event }) => event.kind === kind).map(movement)
    return { deposits: of('deposited') as ChainDeposit[], withdrawals: of('withdrawn') as ChainWithdrawal[] }
  }
  return {
    id: 97,
    movements: async (range: { from: bigint; to: bigint }) => read(range),
    exitActs: async ({ from, to }: { from: bigint; to: bigint }) =>
      acts.filter(({ blockNumber }) => blockNumber >= from && blockNumber <= to),
    movementsOf: async (tx: string) => ({
      ...{ status: 'mined', block: { number: blockOf(tx) } },
      ...read({ from: 0n, to: 1_000_000n }, tx),
    }),
  } as unknown as Chain
}

const blockOf = (tx: string) => ledger.events.find(({ event }) => event.tx === tx)?.block ?? 0n

async function restore(
  change: (payments: Map<bigint, Payment>) => void = () => {},
  keys: Parameters<typeof planRestore>[2]['keys'] = KEYS,
) {
  const [{ seq = 0n } = {}] = await db.query<{ seq: bigint }>('select coalesce(max(seq), 0) as seq from entries')
  const store = await readStore(path, BigInt(seq))
  const plan = await planRestore(db, store, { ...SITE, keys })
  const found = await findPayments(db, chainOf(), plan, CUSTODY)
  const payments = new Map(found.payments)
  change(payments)
  const of = { chainId: 97, operator: OPERATOR, vault: SETTINGS.domain.vault, lastSigner: null }
  await executeRestore(
    db,
    { plan, found: { ...found, payments }, store },
    { ...of, reason: 'the disk is lost', now: NOW },
  )
}

const readAll = async (of: Database) => ({
  entries: await of.query('select seq, kind, at, reference, hash, accounts, amounts from entries order by seq'),
  balances: await of.query('select * from balances order by account, asset'),
  places: await of.query('select id, place, salt from proof_accounts order by id'),
  counters: await of.query('select * from vault_counters order by id'),
  data: await of.query('select * from proof_data order by number'),
  headers: await of.query('select id, previous, hash, ledger_seq from proof_headers order by number'),
  bodies: await of.query('select id, header, root_signature, book_signature from proof_header_bodies order by id'),
})

test('a restore brings back entries, balances, places, counters and headers', async () => {
  await trade()
  await follow()
  await ledger.deposit(ALICE, 'USDT', 5n)
  await follow()
  await restore()
  expect(await readAll(db)).toEqual(await readAll(ledger.server.db))
  await expectBooksBalanced(db)
  expect(await db.query('select id from frozen_accounts')).toEqual([])
  expect(await db.query('select user_id, status from withdrawal_orders')).toEqual([
    { user_id: ALICE, status: 'completed' },
  ])
  const [cursor] = await db.query<{ number: bigint }>('select number from chain_cursors')
  expect(cursor?.number).toBe(ledger.events.at(-1)?.block)
  const [lease] = await db.query<{ batch: bigint }>('select batch from writer_lease')
  expect(lease?.batch).toBeGreaterThan(bookkeeper.last)
}, 60_000)

test('no server starts on a half restored ledger, and the command continues', async () => {
  await trade()
  await follow()
  const interrupted = restore((payments) => {
    // The payment of the second entry is of another amount, so its command fails.
    const { deposit } = payments.get(2n) as { deposit: ChainDeposit }
    payments.set(2n, { deposit: { ...deposit, units: deposit.units + 1n } })
  })
  await expect(interrupted).rejects.toThrow()
  expect(await db.query('select seq from entries')).toEqual([{ seq: 1n }])
  await expect(refuseHalfRestored(db)).rejects.toThrow('run restore-from-bookkeeper again')
  await restore()
  await expect(refuseHalfRestored(db)).resolves.toBeUndefined()
  const restored = await readAll(db)
  expect(restored).toEqual(await readAll(ledger.server.db))
}, 60_000)

test('a store that contradicts the database is refused', async () => {
  await trade()
  await follow()
  await restore()
  await ledger.deposit(BOB, 'ETH', 1n)
  await follow()
  // A server has run on the restored database: its next entry is another one.
  const next = "select seq + 1, 'swap', at, 'other', sha256('x'), accounts, assets, amounts, balances_after"
  await db.query(`insert into entries ${next} from entries order by seq desc limit 1`)
  await expect(restore()).rejects.toThrow(/^Entry \d+ of the database has another hash than in the store/)
}, 60_000)

test('a header that the store lacks, and a changed line, are refused', async () => {
  await trade()
  await follow()
  await db.query(
    `insert into proof_headers (id, number, previous, hash, ledger_seq, made_at) values ('1', 1, 'a', 'b', 0, $1)`,
    [NOW],
  )
  await expect(restore()).rejects.toThrow('Header 1 of the database is not in the store')
  await db.query('delete from proof_headers')
  const text = await readFile(path, 'utf8')
  await writeFile(path, text.replace('"50000"', '"60000"'))
  await expect(restore()).rejects.toThrow(/line \d+ of .* was changed/)
  await writeFile(path, text.slice(0, -20))
  await restore()
}, 60_000)

test('roots that were posted after the backup are on their headers again', async () => {
  await trade()
  await follow()
  const { db: lost } = ledger.server
  const [header] = await lost.query<{ number: bigint; hash: `0x${string}` }>('select number, hash from proof_headers')
  const blockNumber = ledger.events.at(-1)?.block ?? 0n
  const at = { vault: SOURCE.vault, logIndex: 1, blockNumber, postedAt: NOW, kind: 'root' as const }
  const { number = 0n, hash: headerHash = '0x' } = header ?? {}
  acts.push(
    { ...at, txHash: '0xr1', seq: 1, number, headerHash },
    { ...at, txHash: '0xr2', seq: 2, number: number + 1n, headerHash: `0x${'ff'.repeat(32)}` },
  )
  await db.query(`insert into chain_cursors (id, number, hash, time) values ('97', 1, '0x01', $1)`, [NOW])
  await restore()
  expect(await db.query('select tx_hash, is_void from posted_roots order by seq')).toEqual([
    { tx_hash: '0xr1', is_void: false },
    { tx_hash: '0xr2', is_void: false },
  ])
  expect(await db.query('select id, tx_hash from proof_header_bodies where posted_at is not null')).toEqual([
    { id: `${number}`, tx_hash: '0xr1' },
  ])
  // Trading counts from the ledger's own root.
  expect(await readHeaderTimes(db)).toMatchObject({ root_id: `${SOURCE.vault}:1`, root_made_at: expect.any(Date) })
}, 60_000)

test('a stop of repaying after the backup comes back with its end', async () => {
  const { clock, writer, db: lost } = ledger.server
  await trade()
  await follow()
  clock.at = new Date(clock.at.getTime() + 25 * 3_600_000)
  expect(await writer.execute(noteSilence({ sinceStart: false }))).toEqual({ stopped: true })
  const from = clock.at
  clock.at = new Date(clock.at.getTime() + 3_600_000)
  await ledger.deposit(ALICE, 'USDT', 5n)
  await follow()
  // The signature ended the stop, and the next header covers the line of that.
  await ledger.deposit(ALICE, 'USDT', 5n)
  await follow()
  const stop = { from, until: clock.at }
  expect(await loadStop(lost)).toEqual(stop)
  await restore()
  expect(await loadStop(db)).toEqual(stop)
  await expectBooksBalanced(db)
}, 60_000)

test('opens orders of the lost time again, or ends them', async () => {
  await ledger.deposit(ALICE, 'USDT', 50_000n)
  const [open, ended] = ['0a'.repeat(16), '0b'.repeat(16)]
  const move = (from: string, to: string) => [
    [`user:${ALICE}:${from}`, 'USDT', -400n] as const,
    [`user:${ALICE}:${to}`, 'USDT', 400n] as const,
  ]
  for (const order of [open, ended]) await ledger.post('withdrawal_lock', order, move('available', 'locked'))
  await ledger.post('withdrawal_release', ended, move('locked', 'available'))
  await follow()
  await restore()
  const { at } = ledger.server.clock
  const of = { user_id: ALICE, asset: 'USDT', amount: 400n, signature: null }
  expect(
    await db.query(
      'select id, user_id, asset, amount, nonce, signature, status, deadline from withdrawal_orders order by id',
    ),
  ).toEqual(
    [
      { ...of, id: open, status: 'signed' },
      { ...of, id: ended, status: 'expired' },
    ].map((row) => ({
      ...row,
      ...{ nonce: BigInt(`0x${row.id}`), deadline: new Date(at.getTime() + 86_400_000) },
    })),
  )
  expect((await readAll(db)).balances).toEqual((await readAll(ledger.server.db)).balances)
  await expectBooksBalanced(db)
}, 60_000)

test('follows an exit that was requested after the backup', async () => {
  await trade()
  const [bob, alice] = [BOB, ALICE]
  const act = (account: string, tx: string) => ({
    vault: SOURCE.vault,
    account,
    txHash: tx,
    logIndex: 1,
    blockNumber: blockOf(tx),
  })
  await ledger.exit(bob, 'ETH', 3_000n)
  const tx = ledger.events.at(-1)?.event.tx ?? ''
  const request = { ...act(bob, tx), kind: 'request' as const, at: NOW }
  const paid = { ...act(bob, tx), logIndex: 2, kind: 'paid' as const, units: 3_000n, receiver: '0xbb', base: 1 }
  acts.push(request, { ...paid, token: SETTINGS.tokens.ETH.toLowerCase() })
  acts.push({ ...act(alice, tx), kind: 'request', at: NOW }, { ...act(alice, tx), kind: 'cancel' })
  acts.push({ ...act(`0x${'ee'.repeat(20)}`, tx), kind: 'request', at: NOW })
  await follow()
  // An empty database has no cursor: its watcher would read everything again.
  await db.query(`insert into chain_cursors (id, number, hash, time) values ('97', 1, '0x01', $1)`, [NOW])
  await restore()
  expect(await db.query('select id, state from exits order by state desc')).toEqual(
    [
      { id: bob, state: 'open' },
      { id: alice, state: 'closed' },
    ].sort((a, b) => (a.state < b.state ? 1 : -1)),
  )
  expect(await db.query('select user_id, asset, units, missing, tx_hash from exit_payments')).toEqual([
    { user_id: bob, asset: 'ETH', units: 3_000n, missing: 0n, tx_hash: tx },
  ])
  expect(await readAll(db)).toEqual(await readAll(ledger.server.db))
  await expectBooksBalanced(db)
}, 60_000)

test('a restore imports a lending reserve that was shared', async () => {
  await trade()
  await follow()
  const reserve = 'lending:USDT:reserve'
  // In place of interest: the entry of a repayment ends a restore.
  await ledger.post('swap', 'interest', [
    [`user:${ALICE}:available`, 'USDT', -8n],
    [reserve, 'USDT', 8n],
  ])
  await ledger.post('reserve_shared', 'hour', [
    [reserve, 'USDT', -8n],
    ['rewards', 'USDT', 3n],
    ['treasury', 'USDT', 5n],
  ])
  await bookkeeper.take(await ledger.batch(bookkeeper.stored))
  await restore()
  expect(await readAll(db)).toEqual(await readAll(ledger.server.db))
  expect(await db.query('select units from balances where account = $1', [reserve])).toEqual([{ units: 0n }])
  await expectBooksBalanced(db)
}, 60_000)

/** Has ALICE pledge, with its row, as a command of the product does. */
const pledge = (units: bigint) => ledger.server.run({ what: 'pledge', user: 0, asset: 'USDT', units })

/** Changes lines of the store, and its hash chain with them. @param change returns the value of the line, or nothing to leave it out */
async function rewrite(change: (line: Record<string, unknown>) => unknown) {
  let hash = ''
  const kept = (await readFile(path, 'utf8'))
    .split('\n')
    .slice(0, -1)
    .flatMap((line) => {
      const changed = change(JSON.parse(line.slice(65)))
      if (changed === undefined) return []
      const text = JSON.stringify(changed)
      hash = createHash('sha256').update(`${hash}${text}`).digest('hex')
      return [`${hash} ${text}\n`]
    })
  await writeFile(path, kept.join(''))
}

test('a restore writes the rows that belong to entries', async () => {
  await trade()
  await pledge(500n)
  await ledger.swap(ALICE, 1_000n)
  await pledge(70n)
  await follow()
  await restore()
  const rowsOf = async (of: Database) => ({
    pledges: await of.query('select * from pledges'),
    lines: await of.query('select number, from_seq, to_seq, rows, previous, hash from row_lines order by number'),
    last: await of.query('select * from row_line_heads'),
  })
  const restored = await rowsOf(db)
  expect(restored).toEqual(await rowsOf(ledger.server.db))
  expect(restored.pledges).toMatchObject([{ user_id: ALICE, shares: 570n }])
  expect(restored.lines).toHaveLength(2)
  // The user joined after the backup.
  expect(await db.query('select id, parent_id from users')).toEqual([{ id: ALICE, parent_id: null }])
  expect(await readAll(db)).toEqual(await readAll(ledger.server.db))
  await expectBooksBalanced(db)
}, 60_000)

test('a box that the backup has ends again, and another one freezes', async () => {
  const [known, old, gone] = ['a', 'b', 'c'].map((digit) => digit.repeat(32)) as [string, string, string]
  await trade()
  await follow()
  const move = (from: string, to: string, units: bigint) =>
    [[from, 'USDT', -units] as const, [to, 'USDT', units] as const] as const
  const available = `user:${ALICE}:available`
  // In place of the division of a day, which ends a restore.
  await ledger.post('swap', 'division', move('rewards', 'box_rewards', 6n))
  await ledger.post('box_reward', known, move('box_rewards', available, 1n))
  await ledger.post('box_expiry', old, move('box_rewards', 'rewards', 2n))
  await ledger.post('box_reward', gone, move('box_rewards', available, 1n))
  await bookkeeper.take(await ledger.batch(bookkeeper.stored))
  await db.query(`insert into users (id, invite_code, nickname, created_at) values ($1, 'A', '', $2)`, [ALICE, NOW])
  for (const id of [known, old])
    await db.query(
      `insert into boxes (id, user_id, day, level, streak, fees, created_at) values ($1, $2, $3, 0, 1, 0, $4)`,
      [id, ALICE, id === old ? '2026-11-01' : '2026-11-27', NOW],
    )
  await restore()
  expect(await db.query('select id, outcome from box_settlements order by id')).toEqual([
    { id: known, outcome: 'claimed' },
    { id: old, outcome: 'expired' },
  ])
  expect(await db.query('select id from frozen_accounts')).toEqual([{ id: ALICE }])
  await ledger.post('box_expiry', gone, move('box_rewards', 'rewards', 1n))
  await bookkeeper.take(await ledger.batch(bookkeeper.stored))
  await expect(restore()).rejects.toThrow(/^Entry \d+ \(box_expiry\) belongs to an object/)
  await expectBooksBalanced(db)
}, 60_000)

test('rows that the newest signed header does not cover are refused', async () => {
  await trade()
  await pledge(500n)
  await follow()
  await pledge(70n)
  await follow()
  const original = await readFile(path)
  const refused = async (change: Parameters<typeof rewrite>[0], message: string | RegExp) => {
    await rewrite(change)
    await expect(restore()).rejects.toThrow(message)
    await writeFile(path, original)
  }
  const isLine = (line: Record<string, unknown>, number: string): line is { rows: string[]; previous: string } =>
    (line.rows as string[] | undefined)?.[0] === number
  await refused((line) => (isLine(line, '1') ? undefined : line), 'lacks the lines of rows between 0 and 2')
  await refused((line) => (isLine(line, '2') ? undefined : line), /^Entry \d+ \(pledge\) belongs to an object/)
  await refused((line) => {
    if (!isLine(line, '2')) return line
    const rows = [...line.rows.slice(0, 3), line.rows[3]?.replace('"570"', '"571"')]
    const of = Buffer.concat([Buffer.of(0x40), Buffer.from(line.previous.slice(2), 'hex')])
    const hash = createHash('sha256').update(of).update(JSON.stringify(rows)).digest('hex')
    return { ...line, rows, hash: `0x${hash}` }
  }, /^Header \d+ covers line 2 of rows, which the store has otherwise/)
  await refused(({ lines: _, ...line }) => line, /^Header \d+ does not cover line 1 of rows/)
  expect(await db.query('select 1 from entries')).toEqual([])
}, 60_000)

test('a header with other positions than those of the rows is refused', async () => {
  await trade()
  await pledge(500n)
  // A change of a pledge that no command has made: no line has it.
  await ledger.server.db.query('update pledges set shares = shares + 1')
  await follow()
  await expect(restore()).rejects.toThrow(/^The entries and rows of the store lead to positionsRoot 0x\w+, and header/)
  expect(await db.query('select 1 from entries')).toEqual([])
}, 60_000)

test('a newest header of another signer is refused by name', async () => {
  await trade()
  await follow()
  const [root, book] = [KEYS.rootKey, KEYS.bookkeepers[0]]
  const other = `0x${'ab'.repeat(20)}`
  const refused = (keys: object) => expect(restore(undefined, { ...KEYS, ...keys })).rejects
  await refused({ rootKey: other }).toThrow(`is signed by ${root}, and the root key is ${other}`)
  await refused({ bookkeepers: [other] }).toThrow(`is signed by ${book}, and the bookkeeper's key is ${other}`)
  await refused({ rootKey: undefined }).toThrow('--root-key')
  await refused({ bookkeepers: undefined }).toThrow('--bookkeeper-key')
  // Both signatures of another account: the hash chain of the store is right.
  const signature = await privateKeyToAccount(`0x${'0b'.repeat(32)}`).sign({ hash: `0x${'00'.repeat(32)}` })
  await rewrite((line) => (line.signed ? { ...line, bookkeeper: signature } : line))
  await refused({}).toThrow(/^Header \d+ is signed by 0x\w+, and the bookkeeper's key is/)
  await rewrite((line) => (line.signed ? { ...line, bookkeeper: null } : line))
  await refused({}).toThrow(/^Header \d+ is signed by no account/)
  expect(await db.query('select 1 from entries')).toEqual([])
}, 60_000)

/** Writes rows as a command of the product does. */
const writeRows = (...rows: RowWrite[]) =>
  ledger.server.writer.execute({
    ...{ kind: 'test', owner: 'test', payload: {}, preload: [], decide: () => ({ rows, response: null }) },
  })

const DAY = '2026-11-27'
const boxOf = (digit: string, user_id: string) => {
  const id = digit.repeat(32)
  return { id, user_id, day: DAY, level: 2, streak: 3, fees: 5n, created_at: NOW } as const
}

const CLICKED = [boxOf('a', ALICE), boxOf('b', BOB)]
const POOL = { day: DAY, asset: 'USDT', rewards: 60n, pool: 6n, shared: 0n, contributed: 0n } as const

function rootedDayOf(changes: Partial<DayRow> = {}): DayRow {
  const closed = closedDay(DAY, changes)
  return { ...closed, ...rootedDay(closed, growTree(closed, CLICKED), { pools: [POOL], now: NOW }), ...changes }
}

/** Has two users click, and closes their day: its root is on record. */
async function closeDay() {
  const tally = { id: DAY, boxes: 2, power: 10n, bnb: 0n, eth: 0n, rt: 0n, usdt: 0n }
  await writeRows(...CLICKED.map((box) => write(boxes, box)), write(boxTallies, tally))
  const day = rootedDayOf()
  await ledger.server.writer.execute(recordDay({ day, pools: [POOL] }))
  return day
}

test('a day comes back with its root and no other box', async () => {
  await trade()
  await follow()
  const { boxes_root, tree } = await closeDay()
  await bookkeeper.take(await ledger.batch(bookkeeper.stored))
  const original = await readFile(path)
  // No header covers these lines yet.
  let previous: string | undefined
  const replaceIn = async (from: string, to: string) => {
    previous = undefined
    await rewrite((line) => {
      if (!Array.isArray(line.rows)) return line
      const rows = line.rows.map((each) => each.replaceAll(from, to))
      const before = previous ?? (line.previous as string)
      const bytes = Buffer.concat([
        Buffer.of(0x40),
        Buffer.from(before.slice(2), 'hex'),
        Buffer.from(JSON.stringify(rows)),
      ])
      const hash = `0x${createHash('sha256').update(bytes).digest('hex')}`
      const changed = { ...line, rows, previous: before, hash }
      previous = hash
      return changed
    })
  }
  const other = rootedDayOf({ phase: 'divided', divided_at: NOW })
  await ledger.server.writer.execute(recordDay({ day: other, pools: [{ ...POOL, shared: 4n }] }))
  await bookkeeper.take(await ledger.batch(bookkeeper.stored))
  await expect(restore()).rejects.toThrow(`division of ${DAY} moves nothing, and its record has USDT 4.`)
  await writeFile(path, original)
  await replaceIn('"level":2', '"level":5')
  await expect(restore()).rejects.toThrow(`lead to the root`)
  await writeFile(path, original)
  await replaceIn('\\"run_length\\":2,', '')
  await expect(restore()).rejects.toThrow(`The record of ${DAY} lacks run_length.`)
  await writeFile(path, original)
  await replaceIn('"boxes":2', '"boxes":3')
  await expect(restore()).rejects.toThrow(`The store has 2 of the 3 boxes of ${DAY}.`)
  await writeFile(path, original)
  await db.query("insert into box_days (day, phase, boxes_root, root_at) values ($1, 'rooted', 'ff', $2)", [DAY, NOW])
  await expect(restore()).rejects.toThrow(`The day ${DAY} has the root ff in the database, and ${boxes_root}`)
  await db.query('delete from box_days')
  expect(await db.query('select 1 from entries')).toEqual([])
  await restore()
  expect(await db.query('select phase, boxes_root, tree, box_count, void_reason from box_days')).toEqual([
    { phase: 'seeded', boxes_root, tree, box_count: 2, void_reason: null },
  ])
  expect(await db.query('select asset, rewards, pool, shared from box_pools')).toEqual([
    { asset: 'USDT', rewards: 60n, pool: 6n, shared: 0n },
  ])
  expect(await db.query('select id, user_id from boxes order by id')).toHaveLength(2)
  await expectBooksBalanced(db)
}, 60_000)

test('a root of a header without its record is refused', async () => {
  await trade()
  await ledger.server.db.query("insert into box_days (day, phase, boxes_root, root_at) values ($1, 'rooted', $2, $3)", [
    DAY,
    'ff'.repeat(32),
    NOW,
  ])
  await follow()
  const root = `0x${'ff'.repeat(32)}`
  await expect(restore()).rejects.toThrow(`has the root ${root} of the boxes of ${DAY}, which the store has not.`)
  expect(await db.query('select 1 from entries')).toEqual([])
}, 60_000)

test('a void day comes back with the debt of the treasury', async () => {
  await trade()
  await follow()
  const record = { day: closedDay(DAY, { phase: 'shared', void_reason: 'no_root' }), pools: [POOL] }
  await ledger.server.writer.execute(forfeitDay(DAY, [{ asset: 'USDT', units: 6n }], record))
  await bookkeeper.take(await ledger.batch(bookkeeper.stored))
  await restore()
  expect(await db.query('select * from treasury_debts')).toEqual([{ id: 'USDT', units: 6n }])
  expect(await db.query('select phase, void_reason, boxes_root from box_days')).toEqual([
    { phase: 'shared', void_reason: 'no_root', boxes_root: null },
  ])
  await expectBooksBalanced(db)
}, 60_000)

/** Activates a user as the product does. */
const activate = (user: string) =>
  ledger.server.writer.execute({
    ...{ kind: 'test', owner: 'test', payload: {}, preload: [] },
    decide(state, context) {
      const { rows = [] } = activateMember(state, user, context)
      return { entries: [{ kind: 'activation', reference: user, postings: postingsOf(user) }], rows, response: null }
    },
  })

const feeOf = (user: string) =>
  [
    [`user:${user}:available`, 'USDT', -50n],
    ['insurance', 'USDT', 50n],
  ] as const

const postingsOf = (user: string) => feeOf(user).map(([account, asset, units]) => ({ account, asset, units }))

const readMembers = async (of: Database) => ({
  members: await of.query('select * from members order by id'),
  activations: await of.query('select * from activations order by number'),
  last: await of.query('select * from last_numbers'),
  memberships: await of.query('select * from memberships order by id'),
})

test('activations of an earlier version are made from their entries', async () => {
  const [inviter, known, stranger, later] = [0, 1, 2, 3].map(userOf) as [string, string, string, string]
  const leads = [known, stranger, later]
  const { db: lost, clock } = ledger.server
  for (const user of leads) await ledger.deposit(user, 'USDT', 60n)
  await lost.query('delete from users')
  const join = (of: Database, id: string, parent: string | null) =>
    of.query(`insert into users (id, invite_code, parent_id, nickname, created_at) values ($1, $1, $2, '', $3)`, [
      ...[id, parent, clock.at],
    ])
  await join(lost, inviter, null)
  for (const user of leads) await join(lost, user, inviter)
  // The earlier version wrote these rows without a line.
  for (const [index, user] of [known, stranger].entries()) {
    await ledger.post('activation', user, feeOf(user))
    await lost.query('insert into members (id, activated_at) values ($1, $2)', [user, clock.at])
    await lost.query('insert into activations (id, number) values ($1, $2)', [user, index + 1])
  }
  await lost.query("update last_numbers set number = 2 where id = 'activation'")
  await lost.query(
    'insert into memberships (id, level, leads_0, leads_1, leads_2, leads_3, leads_4) values ($1, 0, 2, 0, 0, 0, 0)',
    [inviter],
  )
  await activate(later)
  await follow()
  await join(db, inviter, null)
  await join(db, known, inviter)
  await restore()
  expect(await readMembers(db)).toEqual(await readMembers(lost))
  expect(await db.query('select id, leads_0 from memberships')).toEqual([{ id: inviter, leads_0: 3 }])
  expect(await db.query('select id, parent_id from users order by id')).toEqual([
    { id: inviter, parent_id: null },
    { id: known, parent_id: inviter },
    // The store does not say who invited this account.
    { id: stranger, parent_id: null },
    { id: later, parent_id: inviter },
  ])
  expect(await db.query('select id from frozen_accounts')).toEqual([])
  expect(await db.query('select id from team_events')).toEqual([])
  await expectBooksBalanced(db)
}, 60_000)

test('an activation of another account than the payer is refused', async () => {
  await ledger.deposit(ALICE, 'USDT', 60n)
  await ledger.server.writer.execute({
    ...{ kind: 'test', owner: 'test', payload: {}, preload: [] },
    decide: (state, context) => ({
      entries: [{ kind: 'activation', reference: BOB, postings: postingsOf(ALICE) }],
      rows: activateMember(state, BOB, context).rows ?? [],
      response: null,
    }),
  })
  await follow()
  await expect(restore()).rejects.toThrow(`activates ${BOB}, and its entries are paid by ${ALICE}.`)
  expect(await db.query('select 1 from entries')).toEqual([])
}, 60_000)

test('stars without the rows of their accounts are refused', async () => {
  await trade()
  await writeRows(write(richProgram, { ...NEW_PROGRAM, next_weight: 1n, accounts: 1 }))
  await follow()
  await expect(restore()).rejects.toThrow('The store has 0 accounts with a star and the weight 0, and the upgrade hub')
  expect(await db.query('select 1 from entries')).toEqual([])
}, 60_000)

test('entries of shared objects and unbooked payments are refused', async () => {
  await trade()
  await follow()
  const [last] = ledger.events.slice(-1)
  ledger.events.splice(0, 0, {
    ...(last as (typeof ledger.events)[number]),
    event: { ...(last as (typeof ledger.events)[number]).event, tx: '0xff' },
  })
  // An empty database has no cursor: its watcher has read everything since then.
  const row = "('97', 1, '0x01', $1)"
  await db.query(`insert into chain_cursors (id, number, hash, time) values ${row}`, [NOW])
  await expect(restore()).rejects.toThrow('No entry books the payment in 0xff')
  const move = (account: string, units: bigint) => [account, 'USDT', units] as const
  await ledger.post('pledge', 'USDT', [move(`user:${ALICE}:available`, -5n), move('lending:USDT:cash', 5n)])
  await ledger.post('unpledge', 'USDT', [move(`user:${ALICE}:available`, 2n), move('lending:USDT:cash', -2n)])
  await bookkeeper.take(await ledger.batch(bookkeeper.stored))
  await expect(restore()).rejects.toThrow(
    /^Entry \d+ \(pledge\) belongs to an object that several accounts share.*1 pledge, 1 unpledge\)/,
  )
  expect(await db.query('select 1 from entries')).toEqual([])
}, 60_000)
