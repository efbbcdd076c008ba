import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPostgresDatabase } from '@clearwell/ledger/postgres-database'
import { expectBooksBalanced } from '@clearwell/ledger/testing/database'
import { findLendingFaults } from '@clearwell/server/src/domain/lending/check-lending.ts'
import { LOAN_STATUS, type LoanRow } from '@clearwell/server/src/domain/lending/lending.tables.ts'
import { findHubFaults } from '@clearwell/server/src/features/rich/check-hub.ts'
import { hubSteps, newUid } from '@clearwell/server/src/features/rich/testing/hub-steps.ts'
import type { WithdrawalRow } from '@clearwell/server/src/features/wallet/withdrawal-orders.ts'
import { runInEnvironment } from '@clearwell/server/src/operator/testing/run-in-environment.ts'
import { PGLITE_FOLDER } from '@clearwell/server/src/platform/database/open-database.ts'
import { freePort } from '@clearwell/server/src/platform/http/ports.ts'
import { newMember } from '@clearwell/server/src/testing/new-member.ts'
import {
  endExact,
  newKey,
  startTestServer,
  type TestServer,
  type TestUser,
} from '@clearwell/server/src/testing/server.ts'
import { swap } from '@clearwell/server/src/testing/traders.ts'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type RunningBookkeeper, runBookkeeper } from './run-bookkeeper.ts'
import { sha256 } from './users-tree.ts'

/** docs/recipes/restore-a-backup.md with a bookkeeper: the database goes back, and the ledger does not. */
const KEY = `0x${'b0'.repeat(32)}` as const
const TOKEN = `0x${'70'.repeat(32)}` as const
/** The known key of the local profile. */
const DATA_SECRET = sha256(Buffer.from('clearwell local proof data'))
const WAIT = { timeout: 60_000, interval: 250 }
const REASON = 'the disk of the database is lost'

let server: TestServer
let folder: string
let port: number
let bookkeeper: RunningBookkeeper | undefined
const said: string[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clearwell-restore-'))
  port = await freePort()
  server = await startTestServer({
    ...{ PROOFS: 'on', BOOKKEEPER_TOKEN: TOKEN, BOOKKEEPER_URL: `http://127.0.0.1:${port}` },
    BOOKKEEPER_ADDRESS: privateKeyToAccount(KEY).address,
  })
})
afterAll(async () => {
  await bookkeeper?.stop()
  await endExact(server)
  await rm(folder, { recursive: true })
})

async function startBookkeeper() {
  const { vault, vaultBlock: startBlock } = server.custody
  const own = { key: KEY, dataSecret: DATA_SECRET, folder: join(folder, 'books'), host: '127.0.0.1', port }
  const of = { serverUrl: server.url, token: TOKEN, rpcUrl: server.rpcUrl, vault, startBlock }
  bookkeeper = await runBookkeeper({ ...own, ...of }, (text) => said.push(text))
}

async function stopAll() {
  await bookkeeper?.stop()
  bookkeeper = undefined
  await server.stop()
}

async function startAll() {
  server = await server.restart()
  await startBookkeeper()
}

/** Copies the database of a server that is stopped, or puts the copy in its place. */
async function copyDatabase(way: 'out' | 'back' | 'back and away') {
  const { databaseUrl, dataDir } = server.config.env
  if (!databaseUrl) {
    const [own, copy] = [join(dataDir, PGLITE_FOLDER), join(folder, 'backup')]
    const [from, to] = way === 'out' ? [own, copy] : [copy, own]
    await rm(to, { recursive: true, force: true })
    await cp(from, to, { recursive: true })
    return
  }
  const admin = await openPostgresDatabase(process.env.TEST_DATABASE_URL as string, { maxConnections: 1 })
  const name = new URL(databaseUrl).pathname.slice(1)
  const [from, to] = way === 'out' ? [name, `${name}_backup`] : [`${name}_backup`, name]
  await admin.query(`drop database if exists ${to} with (force)`)
  await admin.query(`create database ${to} template ${from}`)
  if (way === 'back and away') await admin.query(`drop database ${from}`)
  await admin.close()
}

/** Waits for a header that both keys signed and that contains every entry. */
async function signedHeader() {
  const [tip] = await server.db.query<{ seq: bigint }>('select max(seq) as seq from entries')
  return vi.waitUntil(async () => {
    const { data } = await server.call('proofHeader', {})
    return data?.header && BigInt(data.header.ledgerSeq) >= (tip?.seq ?? 0n) && data
  }, WAIT)
}

function restore(...args: string[]) {
  const { dataDir, databaseUrl = '' } = server.config.env
  const variables = {
    PROFILE: 'local',
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    CHAIN_PORT: '0',
    CHAIN_RPC_URL: '',
  }
  const from = ['--from', join(folder, 'books'), '--bookkeeper-key', privateKeyToAccount(KEY).address]
  const words = ['restore-from-bookkeeper', ...from, '--reason', REASON, ...args]
  return runInEnvironment(variables, words)
}

const balances = (of: string) =>
  server.db.query('select account, asset, units from balances where account like $1 order by account, asset', [of])

async function orderOf(id: string) {
  const [order] = await server.db.query<WithdrawalRow>('select * from withdrawal_orders where id = $1', [id])
  return order
}

const loanOf = async (id: string) => {
  const [loan] = await server.db.query<LoanRow>('select * from loans where id = $1', [id])
  return loan
}

const BNB_AT = (price: string) => server.ok('localPrice', { symbol: 'BNBUSDT', price })

/** Has a user borrow, with the price of BNB at 600. @returns the order and its user's calls */
async function borrow({ id, token }: TestUser, amount: string) {
  await BNB_AT('600')
  const terms = { collateral_asset: 'BNB', borrow_asset: 'USDT', term_days: 7 } as const
  const amounts = { collateral_amount: '1', borrow_amount: amount }
  const { order_id } = await server.ok('lend', { ...terms, ...amounts }, { token, key: newKey() })
  return { order_id, id, asBorrower: () => ({ token, key: newKey() }) }
}

const pledge = ({ token }: TestUser, amount: string) =>
  server.ok('pledge', { asset: 'USDT', amount }, { token, key: newKey() })

/** Rows of lending that a restore must write as they were. */
async function lendingRows() {
  const read = (table: string) => server.db.query(`select * from ${table} order by id`)
  const [pledges, pledged, borrowers, changes, losses, liquidations] = await Promise.all(
    ['pledges', 'pledge_changes', 'borrowers', 'borrower_changes', 'lending_losses', 'liquidations'].map(read),
  )
  const loans = await server.db.query(
    `select id, user_id, status, collateral, principal, debt_shares, terms_version, term_days, clear_ratio,
       repayment_time, opened_rate_e18, repaid, interest_paid from loans order by id`,
  )
  const pools = await server.db.query('select id, shares, debt_shares, borrowed from lending_pools order by id')
  return { pledges, pledged, borrowers, changes, losses, liquidations, loans, pools }
}

/** Activations, levels, inviters and orders of payments, which a restore must write as they were. */
async function memberRows() {
  const read = (text: string) => server.db.query<Record<string, unknown>>(text)
  return {
    members: await read('select * from members order by id'),
    activations: await read('select * from activations order by number'),
    last: await read('select * from last_numbers order by id'),
    memberships: await read('select * from memberships order by id'),
    orders: await read('select * from deposit_orders order by id'),
    users: await read('select id, parent_id, invite_code, created_at from users order by id'),
  }
}

const standingOf = async ({ id }: TestUser) => {
  const [row] = await server.db.query<{ active: boolean; level: number; inviter: string | null; invite_code: string }>(
    `select activated_at is not null as active, coalesce(level, 0) as level, parent_id as inviter, invite_code
     from users left join members using (id) left join memberships using (id) where id = $1`,
    [id],
  )
  return row
}

/** Has an account without activation invite five, the last of whom pays for its activation by an order after the restore. */
async function invite() {
  const inviter = await server.newUser()
  const { invite_code: pid } = await server.ok('userinfo', {}, { token: inviter.token })
  const leads: TestUser[] = []
  for (let each = 0; each < 5; each++) leads.push(await server.newUser({ pid }))
  for (const lead of leads.slice(0, 4)) {
    await lead.transferIn('USDT', '50')
    await lead.activateByBalance()
  }
  const last = leads[4] as TestUser
  // The order keeps its user and the inviter, without an activation.
  const waiting = await server.newUser({ pid })
  await server.ok('buy', { asset: 'USDT', amount: '50' }, { token: waiting.token, key: newKey() })
  // Ordered before the loss, paid after the restore.
  const order = await server.ok('active', {}, { token: last.token, key: newKey() })
  return { inviter, lead: leads[0] as TestUser, last, order, pid }
}

/** Has users do what a backup of before does not have: each kind of command of lending. */
async function lend(pledger: TestUser, [first, second]: readonly [TestUser, TestUser], liquidator: TestUser) {
  await pledge(pledger, '300')
  const { token } = pledger
  await server.ok('unpledge', { asset: 'USDT', amount: '50' }, { token, key: newKey() })
  const repaid = await borrow(first, '120')
  await server.ok('repay', { order_id: repaid.order_id, amount: '20' }, repaid.asBorrower())
  const ended = await borrow(first, '80')
  await server.ok('repay', { order_id: ended.order_id, amount: 'all' }, ended.asBorrower())
  const liquidated = await borrow(second, '390')
  await BNB_AT('430')
  const wish = { order_id: liquidated.order_id, max_debt: '400' }
  await server.ok('liquidate', wish, { token: liquidator.token, key: newKey() })
  await BNB_AT('600')
  return repaid
}

async function newUserWith(amount: string): Promise<TestUser> {
  const user = await server.newUser()
  await user.transferIn('USDT', amount)
  return user
}

test('a restored database continues after the newest signed header', async () => {
  await startBookkeeper()
  const alice = await newUserWith('500')
  await alice.activateByBalance()
  const carol = await newUserWith('50')
  await swap(server, alice, { amount: '5', inverse: 1 })
  const pledger = await newMember(server, { USDT: '6000' })
  await pledge(pledger, '5000')
  const borrower = await newMember(server, { BNB: '9', USDT: '100' })
  const other = await newMember(server, { BNB: '3' })
  const liquidator = await newMember(server, { USDT: '1000' })
  const { order_id, asBorrower } = await borrow(borrower, '150')
  const before = await signedHeader()
  await stopAll()
  await copyDatabase('out')

  await startAll()
  await swap(server, alice, { amount: '7', inverse: 1 })
  const bob = await newUserWith('40')
  await server.ok('activeByBalance', {}, { token: carol.token })
  const { order_id: order } = await server.ok('sell', { asset: 'USDT', amount: '10' }, { token: alice.token })
  const team = await invite()
  const later = await lend(pledger, [borrower, other], liquidator)
  await server.ok('addCollateral', { order_id, amount: '0.75' }, asBorrower())
  await server.ok('removeCollateral', { order_id, amount: '0.25' }, asBorrower())
  const newest = await signedHeader()
  expect(newest.header.positionsRoot).not.toBe(before.header.positionsRoot)
  expect(BigInt(newest.number)).toBeGreaterThan(BigInt(before.number))
  const known = await balances('%')
  const [lending, joined] = [await lendingRows(), await memberRows()]
  const { collateral, debt_shares, clear_ratio, status } = (await loanOf(order_id)) as LoanRow
  expect(collateral).toBe(15n * 10n ** 17n)
  await stopAll()
  await copyDatabase('back')

  const dry = await restore('--json')
  expect(dry).toMatchObject({ code: 0, stderr: '' })
  const shown = JSON.parse(dry.stdout)
  expect(shown).toMatchObject({ executed: false, newest_header: newest.number, frozen: [] })
  expect((await restore('--execute')).stdout).toContain(`${shown.entries} entries and ${shown.headers} headers were`)
  expect(JSON.parse((await restore('--execute', '--json')).stdout)).toMatchObject({ entries: 0, headers: 0 })

  await startAll()
  expect(await balances('%')).toEqual(known)
  expect(await loanOf(order_id)).toMatchObject({ collateral, debt_shares, clear_ratio, status })
  expect(await lendingRows()).toEqual(lending)
  expect(await memberRows()).toEqual(joined)
  expect(await findLendingFaults(server.db)).toEqual([])
  await server.watcher.poll()
  expect(await balances(`user:${bob.id}:%`)).toEqual([expect.objectContaining({ units: 40n * 10n ** 18n })])
  expect(await server.db.query('select 1 from deposits where user_id = $1', [bob.id])).toHaveLength(1)
  await swap(server, alice, { amount: '1', inverse: 1 })
  expect(await orderOf(order)).toMatchObject({ status: 'signed', user_id: alice.id, amount: 10n * 10n ** 18n })
  await swap(server, carol, { amount: '1', inverse: 1 })
  const { inviter, lead, last, pid } = team
  expect({
    carol: await standingOf(carol),
    inviter: await standingOf(inviter),
    lead: await standingOf(lead),
  }).toMatchObject({
    carol: { active: true, level: 0, inviter: null },
    inviter: { active: false, level: 0, inviter: null, invite_code: pid },
    lead: { active: true, level: 0, inviter: inviter.id },
  })
  const payer = await server.newUser({ account: last.account, faucet: false })
  await payer.pay('USDT', team.order)
  await server.watcher.poll()
  expect({ last: await standingOf(last), inviter: await standingOf(inviter) }).toMatchObject({
    last: { active: true, level: 0, inviter: inviter.id },
    inviter: { active: false, level: 1 },
  })

  await newUserWith('30')
  const next = await signedHeader()
  expect(BigInt(next.number)).toBeGreaterThan(BigInt(newest.number))
  expect(BigInt(next.header.ledgerSeq)).toBeGreaterThan(BigInt(newest.header.ledgerSeq))
  expect(next.header.positionsRoot).toBe(newest.header.positionsRoot)
  const chain = await server.db.query<{ hash: string }>(
    'select hash from proof_headers where number >= $1 order by number',
    [newest.number],
  )
  const { previous } = next.header
  expect(chain.map(({ hash }) => hash)).toContain(previous)
  expect(next.signatures.bookkeeper).not.toBeNull()
  await server.ok('repay', { order_id: later.order_id, amount: 'all' }, later.asBorrower())
  await server.ok('repay', { order_id, amount: 'all' }, asBorrower())
  expect(await loanOf(order_id)).toMatchObject({ status: LOAN_STATUS.completed, debt_shares: 0n })
  expect(await balances(`user:${borrower.id}:collateral`)).toEqual([expect.objectContaining({ units: 0n })])
  // The same backup again, after the first restore has run.
  await signedHeader()
  const [knownAfter, lendingAfter] = [await balances('%'), await lendingRows()]
  await stopAll()
  await copyDatabase('back and away')
  expect(await restore('--execute')).toMatchObject({ code: 0, stderr: '' })
  await startAll()
  expect(await balances('%')).toEqual(knownAfter)
  expect(await lendingRows()).toEqual(lendingAfter)
  expect(await findLendingFaults(server.db)).toEqual([])
  await newUserWith('20')
  expect((await signedHeader()).signatures.bookkeeper).not.toBeNull()
  expect(said.filter((line) => line.startsWith('refused'))).toEqual([])
  await expectBooksBalanced(server.db)
}, 300_000)

/** Rows of the upgrade hub and of days of boxes. */
async function dayRows() {
  const tables = {
    ...{ rich_accounts: 'id', rich_uids: 'id', rich_requests: 'id', rich_program: 'id', rich_releases: 'id' },
    ...{ rich_collected: 'id', boxes: 'id', box_streaks: 'id', box_tallies: 'id', box_closures: 'id' },
    ...{ box_settlements: 'id', box_day_records: 'id', box_days: 'day', box_subtrees: 'day, place' },
    ...{ box_pools: 'day, asset', box_draws: 'box_id', box_shares: 'box_id, asset' },
    ...{ box_sources: 'day, asset, kind', box_source_cursor: 'id' },
  }
  const read = async ([table, order]: [string, string]) =>
    [table, await server.db.query<Record<string, unknown>>(`select * from ${table} order by ${order}`)] as const
  return Object.fromEntries(await Promise.all(Object.entries(tables).map(read)))
}

/** Moves the clock to 9:00 of the next day in Hong Kong, and waits until the day before is divided. @returns that day */
async function passDay(): Promise<string> {
  const { ends_at, day } = await server.ok('boxRules', {})
  const { time } = await server.ok('config', {})
  const leftS = Math.ceil((Date.parse(ends_at) - Date.parse(time)) / 1_000)
  await server.ok('localAdvance', { seconds: leftS + 9 * 3_600 })
  await divided(day)
  return day
}

const divided = (day: string) =>
  vi.waitUntil(
    async () =>
      (await server.db.query(`select 1 from box_days where day = $1 and phase = 'divided'`, [day])).length === 1,
    WAIT,
  )

test('the upgrade hub and days of boxes come back', async () => {
  if (!bookkeeper) await startBookkeeper()
  const hub = hubSteps(() => server)
  const parent = await hub.newMember()
  const child = await hub.newMember({ parent, rt: '600', uid: null })
  const leaver = await hub.newMember({ rt: '600' })
  const click = ({ token }: TestUser) => server.ok('clickBox', {}, { token, key: newKey() })
  const claim = ({ token }: TestUser) => server.ok('claimBoxes', {}, { token, key: newKey() })
  await hub.deposit(leaver, '100')
  await hub.request(leaver)
  await passDay()
  await signedHeader()
  await stopAll()
  await copyDatabase('out')

  await startAll()
  await server.ok('linkUid', { uid: newUid(), name: 'Child' }, { token: child.token, key: newKey() })
  await hub.deposit(child, '300')
  const { data: request } = await hub.request(child)
  await hub.approve(parent, request.request_id)
  for (const user of [child, leaver]) await click(user)
  const day = await passDay()
  const [reward] = (await claim(child)).amount
  expect(reward).toBeDefined()
  await click(child)
  await hub.collect(leaver)
  await hub.leave(leaver)
  await hub.takeBack(child)
  const newest = await signedHeader()
  const [known, rows] = [await balances('%'), await dayRows()]
  const [drawn] = (rows.box_days ?? []).filter((row) => row.day === day)
  expect(drawn).toMatchObject({ rule: 'table', seed: expect.any(String) })
  expect(newest.header).toMatchObject({ boxRoot: `0x${drawn?.boxes_root}` })
  expect(rows.box_draws).toHaveLength(2)
  await stopAll()
  await copyDatabase('back and away')

  expect(JSON.parse((await restore('--json')).stdout)).toMatchObject({ frozen: [], newest_header: newest.number })
  expect(await restore('--execute')).toMatchObject({ code: 0, stderr: '' })
  await startAll()
  await divided(day)
  expect(await balances('%')).toEqual(known)
  expect(await dayRows()).toEqual(rows)
  expect(await findHubFaults(server.db)).toEqual([])

  await passDay()
  for (const user of [child, leaver]) await claim(user)
  expect((await hub.collect(child)).code).toBe(1)
  expect(await findHubFaults(server.db)).toEqual([])
  const next = await signedHeader()
  expect(BigInt(next.number)).toBeGreaterThan(BigInt(newest.number))
  expect(next.signatures.bookkeeper).not.toBeNull()
  // A jump of the clock is longer than the ledger may be without a header.
  expect(server.errors.splice(0).filter(({ task }) => task !== 'header age')).toEqual([])
  expect(said.filter((line) => line.startsWith('refused'))).toEqual([])
  await expectBooksBalanced(server.db)
}, 300_000)
