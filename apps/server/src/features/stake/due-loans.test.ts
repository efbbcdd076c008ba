import { randomUUID } from 'node:crypto'
import type { Database } from '@clearwell/ledger/database'
import { openTestDatabase } from '@clearwell/ledger/testing/database'
import { NotReady, Writer } from '@clearwell/ledger/writer'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLendingStore } from '../../domain/lending/lending.store.ts'
import { LOAN_STATUS, type LoanRow, loans } from '../../domain/lending/lending.tables.ts'
import { createLendingParameters } from '../../domain/lending/lending-parameters.ts'
import { stakeConfig, stakeRules } from '../../domain/lending/stake-config.ts'
import { remindersOf, watchOf } from '../../domain/lending/update-loan.ts'
import { MIGRATION_FOLDERS } from '../../platform/database/open-database.ts'
import { createNotices } from '../../platform/notices/notices.ts'
import { randomFrom } from '../../testing/random-from.ts'
import { storeFirstParameters } from './announce-parameters.ts'
import { judgeLoans } from './judge-loans.ts'
import { loanDrain } from './loan-drain.ts'

const NOW = new Date('2026-11-22T00:00:00Z')
const HOUR_MS = 3_600_000
const USER = `0x${'a'.repeat(40)}`
const E18 = 10n ** 18n
const FIRST = stakeConfig.shape.stake.parse(undefined)
const RULES = { ...stakeRules({ stake: FIRST }), version: 1 }
const UNKNOWN = { state: 'unknown', last: undefined } as const
const clock = { now: () => NOW }

let db: Database
const open: { stop(): Promise<void> }[] = []
beforeEach(async () => {
  db = await openTestDatabase(MIGRATION_FOLDERS)
  await db.query(`insert into users (id, invite_code, nickname, created_at) values ($1, $1, 'name', $2)`, [USER, NOW])
})
afterEach(async () => {
  for (const { stop } of open.splice(0)) await stop()
  await db.close()
})

/** A server that leads: the one before it is dead or gone. */
async function openLeader(database = db) {
  const published: string[] = []
  const writer = await Writer.open({
    db: database,
    clock,
    randomId: randomUUID,
    holder: randomUUID(),
    leaseTtlMs: 60_000,
    exclusive: true,
  })
  const publish = (_user: string, { data }: { data: unknown }) => published.push((data as { id: string }).id)
  const notices = createNotices({ db: database, publish, onError: throwIt })
  const loans = loanDrain({
    store: createLendingStore(database),
    writer,
    clock,
    moneyPrices: { price: async () => ({ state: 'unknown', lastE18: undefined, time: undefined }) },
    notices,
    parameters: createLendingParameters({ db: database, clock, first: FIRST }),
  })
  open.push({ stop: () => writer.close() })
  await writer.execute(storeFirstParameters(FIRST))
  return { writer, notices, loans, published }
}

/** Orders in every state that the clock can change, as they were at their opening or at their last reminder. */
function randomOrders(seed: number, count: number): LoanRow[] {
  const random = randomFrom(seed)
  return Array.from({ length: count }, (_, index) => {
    const dueMs = NOW.getTime() + (random(100) - 20) * HOUR_MS - random(2)
    const before = new Date(Math.min(NOW.getTime(), dueMs) - random(100) * HOUR_MS)
    const times = { created_at: before, status_at: before, repayment_time: new Date(dueMs) }
    const units = BigInt(1 + random(1_000)) * E18
    const isPartCleared = random(10) === 0
    const rateReachedE18 = random(10) === 0 ? 2n : null
    const order = {
      ...times,
      id: `loan-${index}`,
      user_id: USER,
      status: LOAN_STATUS.normal,
      collateral_asset: 'BNB' as const,
      collateral: E18,
      borrow_asset: 'USDT' as const,
      borrowed: units,
      principal: units,
      debt_shares: units,
      repaid: null,
      interest_paid: null,
      terms_version: 1,
      term_days: 30,
      opened_rate_e18: 1n,
      notify_rate_e18: null,
      rate_reached_e18: rateReachedE18,
      is_part_cleared: isPartCleared,
      warned: 0,
      reminded: remindersOf(times, RULES, before),
      is_announced: !isPartCleared && rateReachedE18 === null,
      warning_round: 0,
    }
    return { ...order, ...watchOf(order, RULES, before) }
  })
}

async function add(rows: readonly LoanRow[]): Promise<void> {
  const { text, params } = loans.saveStatement(rows)
  await db.query(text, params)
}

const loanRows = () => db.query<LoanRow>('select * from loans order by id')
const noticeRows = () => db.query('select user_id, kind, key, params, link, created_at from notices order by kind, key')

test.each([1, 2])('orders judged together end like orders judged alone, of book %i', async (seed) => {
  const rows = randomOrders(seed, 80)
  await add(rows)
  const leader = await openLeader()
  await leader.loans.drain()
  const together = [await loanRows(), await noticeRows()]
  expect(together[1]?.length).toBeGreaterThan(20)

  await db.script('truncate notices')
  await add(rows)
  const next = await openLeader()
  for (const { id } of rows.toReversed()) {
    await next.writer.execute(judgeLoans(['USDT', 'BNB'], [id], () => UNKNOWN))
    await next.notices.check()
  }
  expect([await loanRows(), await noticeRows()]).toEqual(together)
})

/** A database that is gone after as many transactions: the last one ends before or after its commit. */
function dyingAfter(transactions: number, { isCommitted }: { isCommitted: boolean }): Database {
  let begun = 0
  const die = () => Promise.reject(new NotReady('this server is dead'))
  const last = () => begun > transactions
  return {
    ...db,
    query: (text, params) => (last() ? die() : db.query(text, params)),
    async transaction(work) {
      if (last()) return die()
      begun++
      const result = await db.transaction(async (tx) => {
        const done = await work(tx)
        if (last() && !isCommitted) await die()
        return done
      })
      return last() ? die() : result
    },
    async commitInOrder(statements) {
      if (last()) return die()
      begun++
      if (!last() || isCommitted) await db.commitInOrder(statements)
      if (last()) await die()
    },
  }
}

test.each([true, false])('sends each notice once when a leader dies, commit done: %s', async (isCommitted) => {
  const due = randomOrders(1, 120).map((row) => ({ ...row, repayment_time: NOW, watch_until: NOW }))
  let deaths = 0
  for (let transactions = 0; ; transactions++) {
    await db.script('truncate notices, unsent_notices')
    await add(due)
    const dying = await openLeader(dyingAfter(transactions + 2, { isCommitted })).catch(() => undefined)
    const isDead = await dying?.loans.drain().then(
      () => false,
      () => true,
    )
    const next = await openLeader()
    await next.notices.check()
    await next.loans.drain()
    const rows = await db.query<{ kind: string; link: string }>('select kind, link from notices')
    expect(rows.filter(({ kind }) => kind === 'loan_to_be_cleared')).toHaveLength(due.length)
    expect((await loanRows()).filter(({ status }) => status === LOAN_STATUS.toBeCleared)).toHaveLength(due.length)
    for (const { stop } of open.splice(0)) await stop()
    if (isDead === false) break
    deaths++
  }
  // At least once in the search, in a batch and in the sending of its notices. A fast machine takes larger batches, so fewer.
  expect(deaths).toBeGreaterThanOrEqual(3)
})

function throwIt(error: unknown): never {
  throw error
}
