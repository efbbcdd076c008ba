import type { Command } from '@clearwell/ledger/command'
import type { Database } from '@clearwell/ledger/database'
import { openTestDatabase } from '@clearwell/ledger/testing/database'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { MIGRATION_FOLDERS } from '../../platform/database/open-database.ts'
import { createCover } from './cover.ts'
import { createExitStore } from './exit.store.ts'

const NOW = new Date('2026-11-28T09:00:00Z')
const CURSOR = { number: 9n, hash: '0x9', time: NOW } as const
const addressOf = (number: number) => `0x${number.toString(16).padStart(40, '0')}`

let db: Database
beforeAll(async () => {
  db = await openTestDatabase(MIGRATION_FOLDERS)
})
afterAll(() => db.close())
beforeEach(async () => {
  await db.query('delete from exit_advances')
  await db.query('delete from exit_payments')
  await db.query('delete from exits')
  await db.query('delete from balances')
})

/** Accounts from one number to another owe an advance. Of their addresses, these have a balance to give back. */
async function owe([from, to]: [number, number], hasBalance: boolean): Promise<void> {
  for (let number = from; number <= to; number++) {
    const id = addressOf(number)
    await db.query(
      `insert into exit_advances (id, user_id, asset, to_insurance, to_treasury, changed_at)
       values ($1, $2, 'USDT', 1, 0, $3)`,
      [`${id} USDT`, id, NOW],
    )
    if (hasBalance)
      await db.query(`insert into balances (account, asset, units) values ($1, 'BNB', 5)`, [`user:${id}:available`])
  }
}

/** Payments from one number to another lack units, each of an account of the same number. */
async function lack(from: number, to: number): Promise<void> {
  for (let number = from; number <= to; number++)
    await db.query(
      `insert into exit_payments (id, user_id, asset, units, missing, receiver, tx_hash, block, booked_at)
       values ($1, $2, 'USDT', 1, 1, $2, $1, 1, $3)`,
      [`56:${number}`, addressOf(number), new Date(NOW.getTime() + number)],
    )
}

/** Each run of a leader's cover. @returns the accounts that it looks at */
function newCover() {
  const taken: string[][] = []
  const asked: string[] = []
  const cover = createCover({
    ...{ chain: { id: 56 }, db, clock: { now: () => NOW }, store: createExitStore(db), remind: () => {} },
    claimsOf: async ({ account }) => {
      asked.push(account)
      return undefined
    },
    // The price of their asset is missing, so nothing is taken.
    coverPrices: async () => ({ prices: {}, goodUntil: NOW }),
    writer: {
      async execute<Response>({ preload }: Command<Response>) {
        const rows = preload.flatMap((key) => ('table' in key && key.table.name === 'exits' ? [key.id] : []))
        taken.push(rows)
        return { payments: [], accounts: [], isCurrent: true } as Response
      },
    },
  })
  return { ...cover, taken, asked }
}

test('finds one account with a balance behind many without', async () => {
  await owe([1, 150], false)
  await owe([151, 151], true)
  const { run, taken } = newCover()
  await run(CURSOR)
  expect(taken).toEqual([[addressOf(151)]])
})

test('takes advances back from all accounts in turn', async () => {
  await owe([1, 230], true)
  const { run, taken } = newCover()
  for (let runs = 0; runs < 4; runs++) await run(CURSOR)
  expect(taken.map((each) => [each.length, each[0]])).toEqual([
    [100, addressOf(1)],
    [100, addressOf(101)],
    [30, addressOf(201)],
    [100, addressOf(1)],
  ])
})

test('looks at all payments that lack units in turn, the oldest first', async () => {
  await lack(1, 230)
  const { run, taken } = newCover()
  for (let runs = 0; runs < 4; runs++) await run(CURSOR)
  const ends = (from: number, to: number) => [addressOf(from), addressOf(to)]
  expect(taken.map((each) => [each[0], each.at(-1)])).toEqual([
    ends(1, 100),
    ends(101, 200),
    ends(201, 230),
    ends(1, 100),
  ])
})

test('compares an exit from two hours before its base is fixed', async () => {
  // A header of then can be posted after the cut: it is no base, but its pledges and loans count after an end.
  const cutInMs = (number: number, untilCutMs: number) =>
    db.query(`insert into exits (id, state, exit_at, block, changed_at, owes) values ($1, 'open', $2, 1, $2, false)`, [
      addressOf(number),
      new Date(NOW.getTime() - 6 * 86_400_000 + untilCutMs),
    ])
  await cutInMs(1, 7_201_000)
  await cutInMs(2, 7_200_000)
  await cutInMs(3, -1_000)
  const { run, asked } = newCover()
  await run(CURSOR)
  expect(asked).toEqual([addressOf(2), addressOf(3)])
})
