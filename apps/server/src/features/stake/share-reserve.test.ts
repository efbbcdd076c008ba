import type { Command } from '@clearwell/ledger/command'
import type { Database } from '@clearwell/ledger/database'
import { expectBooksBalanced, openTestDatabase } from '@clearwell/ledger/testing/database'
import { Writer } from '@clearwell/ledger/writer'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lendingReserve } from '../../domain/lending/lending-accounts.ts'
import { createLendingParameters } from '../../domain/lending/lending-parameters.ts'
import { stakeConfig } from '../../domain/lending/stake-config.ts'
import { MIGRATION_FOLDERS } from '../../platform/database/open-database.ts'
import { createJobs } from '../../platform/jobs/jobs.ts'
import { INSURANCE, REFERRAL, REWARDS, TREASURY, VAULT } from '../../platform/ledger/accounts.ts'
import { createTestMoneyPrices } from '../../platform/prices/testing/money-prices.ts'
import { fixedRule } from '../../testing/fixed-rule.ts'
import { LendingLedger } from '../../testing/lending-ledger.ts'
import { shareReserve, shareReserveEachHour } from './share-reserve.ts'

const HOUR_MS = 3_600_000
const SHARES = fixedRule({ rewards: 5_000n, referral: 2_000n, insurance: 1_000n, treasury: 2_000n })

let db: Database
let nowMs = Date.parse('2026-11-21T09:00:00Z')
const clock = { now: () => new Date(nowMs) }
beforeAll(async () => {
  db = await openTestDatabase(MIGRATION_FOLDERS)
})
afterAll(() => db.close())

const openWriter = (holder: string) =>
  Writer.open({
    db,
    clock,
    randomId: () => holder.repeat(8),
    holder,
    leaseTtlMs: 60_000,
    exclusive: true,
    onError: (error) => {
      throw error
    },
  })

/** Interest that arrives in the reserve. */
const receive = (units: bigint): Command<object> => ({
  kind: 'receive',
  owner: 'test',
  payload: {},
  preload: [],
  decide: () => ({
    entries: [
      {
        kind: 'deposit',
        reference: 'test',
        postings: [
          { account: VAULT, asset: 'USDT', units: -units },
          { account: lendingReserve('USDT'), asset: 'USDT', units },
        ],
      },
    ],
    response: {},
  }),
})

/** Runs the due job as a server does. One that is killed commits the job's command and not its step. */
async function runJob(writer: Writer, { isKilled = false } = {}): Promise<void> {
  const parameters = createLendingParameters({ db, clock, first: stakeConfig.shape.stake.parse(undefined) })
  let commands = 0
  const execute: Writer['execute'] = async (command) => {
    commands++
    return writer.execute(command)
  }
  const transaction: Database['transaction'] = (work) =>
    isKilled && commands > 0 ? Promise.reject(new Error('killed')) : db.transaction(work)
  const jobs = createJobs({ db: { ...db, transaction }, clock, isLeader: () => true, onError: () => {} })
  jobs.add([
    shareReserveEachHour({
      writer: { execute },
      parameters,
      moneyPrices: createTestMoneyPrices(clock.now),
      shares: SHARES,
    }),
  ])
  await jobs.runDue()
}

const treasury = async () => {
  const rows = await db.query<{ units: bigint }>(
    `select units from balances where account = 'treasury' and asset = 'USDT'`,
  )
  return rows[0]?.units ?? 0n
}

test('a server killed between command and step shares nothing twice', async () => {
  const first = await openWriter('first')
  await runJob(first)
  await first.execute(receive(1_000n))
  nowMs += HOUR_MS
  await runJob(first, { isKilled: true })
  expect(await treasury()).toBe(200n)
  // More interest arrives before the next leader runs the same step again.
  await first.execute(receive(500n))
  await first.close()

  const second = await openWriter('second')
  nowMs += HOUR_MS / 2
  await runJob(second)
  expect(await treasury()).toBe(200n)
  nowMs += HOUR_MS
  await runJob(second)
  expect(await treasury()).toBe(300n)
  await second.close()
  await expectBooksBalanced(db)
})

/**
 * @attack S19 The referral part of lending revenue went to an account that only a swap's own entry empties, and stayed there.
 * @holds The referral part of revenue that has no inviter goes to rewards.
 */
test('the reserve is shared out, with its referral part in rewards', () => {
  const ledger = new LendingLedger()
  ledger.add(lendingReserve('USDT'), 'USDT', 101n)
  expect(ledger.execute(shareReserve(['USDT', 'BNB'], SHARES, 'step'))).toEqual({ shared: 1 })
  expect([REWARDS, REFERRAL, INSURANCE, TREASURY].map((account) => ledger.balance(account, 'USDT'))).toEqual([
    71n,
    0n,
    10n,
    20n,
  ])
  expect(ledger.execute(shareReserve(['USDT', 'BNB'], SHARES, 'next'))).toEqual({ shared: 0 })
})
