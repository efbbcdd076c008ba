import { randomUUID } from 'node:crypto'
import type { Database } from '@clearwell/ledger/database'
import { openTestDatabase } from '@clearwell/ledger/testing/database'
import { nativeAsset, type WithdrawalVoucher } from '@clearwell/vault/abi/withdrawal-typed-data'
import fc from 'fast-check'
import { getAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createSimulatedChain, type SimulatedChain } from '../chain/testing/simulated-chain.ts'
import { MIGRATION_FOLDERS } from '../database/open-database.ts'
import { dayOf } from './daily-caps.ts'
import { voucherStore } from './signer.store.ts'
import { createSigner, type Signer } from './signer.ts'

const START = new Date('2026-11-21T09:00:00Z')
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
const [ANN, BEN] = [`0x${'a'.repeat(40)}`, `0x${'b'.repeat(40)}`] as const
/** The ledger's units per unit of the token, as for a token with 6 decimals. */
const UNIT = 10n ** 12n
const account = privateKeyToAccount(`0x${'5'.repeat(64)}`)

let db: Database
let now = START
let nonce = 0n
let chain: SimulatedChain
let signer: Signer

beforeAll(async () => {
  db = await openTestDatabase(MIGRATION_FOLDERS)
})
afterAll(() => db.close())
beforeEach(() => restart(START))

/** A signer whose caps nothing has used yet: the last use is more than a day ago. */
function restart(time: Date, caps = { perVoucher: 50n, perAccountPerDay: 60n, perDay: 100n }): void {
  now = new Date(Math.max(time.getTime(), now.getTime() + 2 * DAY_MS))
  chain = createSimulatedChain(31337, { startTime: now, signer: account.address.toLowerCase() })
  signer = createSigner({
    db,
    clock: { now: () => now },
    account,
    chainId: 31337,
    vault: `0x${'c'.repeat(40)}`,
    assets: [
      { asset: 'USDT', token: `0x${'d'.repeat(40)}`, unit: 1n, ...caps },
      { asset: 'BNB', token: nativeAsset, unit: UNIT, ...caps },
    ],
    chain,
    checkSolvency: async () => ({ ok: true }),
    onError: (error) => expect.unreachable(String(error)),
  })
}

function wait(ms: number): void {
  now = new Date(now.getTime() + ms)
}

function voucher(to: string, amount: bigint): WithdrawalVoucher {
  nonce += 1n
  const deadline = BigInt(now.getTime() + HOUR_MS) / 1000n
  return { account: to as `0x${string}`, asset: nativeAsset, amount, nonce, deadline }
}

async function sign(to: string, amount: bigint): Promise<string> {
  const outcome = await signer.sign(voucher(to, amount))
  return outcome.status === 'signed' ? 'signed' : outcome.reason
}

/** Credits a confirmed payment, as the watcher does. */
async function deposit(units: bigint): Promise<void> {
  await db.query(
    `insert into deposits (id, user_id, asset, units, tx_hash, block_number, credited_at) values ($1, $2, 'BNB', $3, 'tx', 1, $4)`,
    [randomUUID(), ANN, (units * UNIT).toString(), now],
  )
}

/** Expects the sums of past minutes to give the same result as the rows of the day. */
async function expectSumsExact(): Promise<void> {
  const day = dayOf('BNB', now)
  const withSums = await voucherStore.usedByAll(db, day, UNIT)
  const fromRows = await db
    .transaction(async (tx) => {
      await tx.query('update signer_caps set summed_to = null')
      throw await voucherStore.usedByAll(tx, day, UNIT)
    })
    .catch((result: unknown) => result)
  expect(withSums).toEqual(fromRows)
}

const roomOf = (user: string) => signer.dayRoom(nativeAsset, user)

describe('the cap of an account', () => {
  test("an account's cap leaves other accounts theirs", async () => {
    expect(await sign(ANN, 50n)).toBe('signed')
    expect(await sign(ANN, 11n)).toBe('over_account_cap')
    expect(await sign(getAddress(ANN), 11n)).toBe('over_account_cap')
    expect(await sign(ANN, 10n)).toBe('signed')
    expect(await sign(BEN, 40n)).toBe('signed')
    expect(await sign(BEN, 1n)).toBe('over_day_cap')
  })

  test("an account's cap counts every voucher, also after a deposit", async () => {
    await sign(ANN, 50n)
    wait(MINUTE_MS)
    await deposit(50n)
    expect(await sign(ANN, 11n)).toBe('over_account_cap')
  })

  test('a refusal names the amount left and when more frees', async () => {
    expect(await roomOf(ANN)).toEqual({ left: 60n, limitedBy: 'account', moreAt: undefined })
    const first = now
    await sign(ANN, 50n)
    wait(HOUR_MS)
    await sign(ANN, 3n)
    wait(MINUTE_MS)
    const moreAt = new Date(first.getTime() + DAY_MS)
    expect(await roomOf(ANN)).toEqual({ left: 7n, limitedBy: 'account', moreAt })
    expect(await roomOf(BEN)).toEqual({ left: 47n, limitedBy: 'all_accounts', moreAt })
    now = moreAt
    expect(await roomOf(ANN)).toMatchObject({ left: 57n })
  })
})

describe('the cap of all accounts', () => {
  test('later deposits lower the use of the cap of all accounts', async () => {
    await sign(ANN, 50n)
    await sign(BEN, 50n)
    wait(MINUTE_MS)
    expect(await roomOf(BEN)).toMatchObject({ left: 0n, limitedBy: 'all_accounts' })
    await deposit(30n)
    wait(MINUTE_MS)
    expect(await sign(BEN, 10n)).toBe('signed')
    expect(await sign(`0x${'d'.repeat(40)}`, 20n)).toBe('signed')
    expect(await sign(`0x${'d'.repeat(40)}`, 1n)).toBe('over_day_cap')
  })

  test('earlier deposits never raise the cap of all accounts', async () => {
    await deposit(1_000n)
    wait(MINUTE_MS)
    await sign(ANN, 50n)
    await sign(BEN, 50n)
    expect(await sign(`0x${'d'.repeat(40)}`, 1n)).toBe('over_day_cap')
    wait(MINUTE_MS)
    // More comes in than went out: the whole cap is free, and not more.
    await deposit(1_000n)
    wait(MINUTE_MS)
    expect(await roomOf(`0x${'d'.repeat(40)}`)).toMatchObject({ left: 60n, limitedBy: 'account' })
    await sign(`0x${'d'.repeat(40)}`, 50n)
    await sign(`0x${'e'.repeat(40)}`, 50n)
    expect(await sign(`0x${'e'.repeat(40)}`, 1n)).toBe('over_day_cap')
  })

  test('a deposit of the same moment counts as the earlier one', async () => {
    await sign(ANN, 50n)
    await deposit(50n)
    expect(await roomOf(BEN)).toMatchObject({ left: 50n, limitedBy: 'all_accounts' })
  })
})

test('past minutes are summed again after a change in them', async () => {
  const day = () => dayOf('BNB', now)
  const minutes = async () => (await db.query('select 1 from signer_minutes where minute > $1', [day().since])).length
  await sign(ANN, 30n)
  wait(MINUTE_MS)
  await deposit(10n)
  wait(MINUTE_MS)
  await sign(BEN, 20n)
  wait(10 * MINUTE_MS)
  await sign(BEN, 1n)
  for (let period = 0; period < 4; period++) await voucherStore.sumMinutes(db, day(), UNIT)
  expect(await minutes()).toBe(3)
  expect(await voucherStore.usedByAll(db, day(), UNIT)).toMatchObject({ used: 41n })
  await expectSumsExact()
  // A reorganisation takes the deposit back.
  await db.query('update deposits set taken_back_at = $1 where credited_at > $2', [now, day().since])
  expect(await voucherStore.usedByAll(db, day(), UNIT)).toMatchObject({ used: 51n })
  wait(MINUTE_MS)
  await sign(BEN, 1n)
  expect(await voucherStore.usedByAll(db, day(), UNIT)).toMatchObject({ used: 52n })
  // The clock goes back, and signs in a minute that was summed.
  wait(-9 * MINUTE_MS)
  await sign(BEN, 2n)
  wait(9 * MINUTE_MS)
  expect(await voucherStore.usedByAll(db, day(), UNIT)).toMatchObject({ used: 54n })
  await expectSumsExact()
})

test('an expired voucher leaves deposits of its minute in the token’s units', async () => {
  const asked = voucher(ANN, 30n)
  await signer.sign(asked)
  await sign(BEN, 20n)
  wait(1)
  await deposit(10n)
  wait(10 * MINUTE_MS)
  for (let period = 0; period < 4; period++) await voucherStore.sumMinutes(db, dayOf('BNB', now), UNIT)
  expect(await voucherStore.usedByAll(db, dayOf('BNB', now), UNIT)).toMatchObject({ used: 40n })
  wait(2 * HOUR_MS)
  chain.moveTo(now)
  await signer.expireVouchers([asked], chain.mineEmpty(1))
  expect(await voucherStore.usedByAll(db, dayOf('BNB', now), UNIT)).toMatchObject({ used: 10n })
  await expectSumsExact()
})

describe('hostile accounts that cycle their funds', () => {
  const CAP = 1_000n
  const caps = { perVoucher: 200n, perAccountPerDay: 200n, perDay: CAP }
  /** The hostile accounts hold 600 together, the honest ones withdraw at most 400: together the whole cap. */
  const HOSTILE = Array.from({ length: 30 }, (_, index) => `0x${(index + 100).toString(16).padStart(40, '0')}`)
  const HONEST = Array.from({ length: 4 }, (_, index) => `0x${(index + 10).toString(16).padStart(40, '0')}`)

  const step = fc.record({
    who: fc.nat(HOSTILE.length - 1),
    amount: fc.bigInt(1n, 200n),
    does: fc.constantFrom('cycle', 'cycle', 'cycle', 'withdraw', 'deposit', 'expire'),
    waitMs: fc.constantFrom(0, 1, MINUTE_MS, HOUR_MS, 7 * HOUR_MS),
  })

  test('deposits and withdrawals never exceed the cap or block others', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 14, maxLength: 28 }), async (steps) => {
        restart(now, caps)
        /** Signed vouchers as positive, deposits as negative units; a voucher that expired counts as nothing. */
        const movements: { at: number; units: bigint }[] = []
        let outside = 0n
        let honest = 0
        const open: { voucher: WithdrawalVoucher; movement: { at: number; units: bigint } }[] = []
        const fallSince = (from: number) =>
          movements.reduce((sum, { at, units }) => (at >= from ? sum + units : sum), 0n)
        const signed = async (to: string, amount: bigint) => {
          const asked = voucher(to, amount)
          if ((await signer.sign(asked)).status !== 'signed') return undefined
          const movement = { at: now.getTime(), units: amount }
          movements.push(movement)
          // Within any 24 hours the net outflow is at most the cap.
          for (const { at } of movements)
            if (at > now.getTime() - DAY_MS) expect(fallSince(at)).toBeLessThanOrEqual(CAP)
          return { voucher: asked, movement }
        }
        const payIn = async (units: bigint) => {
          wait(1)
          await deposit(units)
          movements.push({ at: now.getTime(), units: -units })
          wait(1)
        }
        for (const [index, { who, amount, does, waitMs }] of steps.entries()) {
          wait(waitMs)
          if (does === 'cycle' && outside + amount <= 600n) {
            // Each account cycles until its own cap stops it: all together, many times the cap.
            for (const other of [0, 7, 14, 21]) {
              const done = await signed(HOSTILE[(who + other) % HOSTILE.length] ?? '', amount)
              if (done) await payIn(amount)
            }
          } else if (does === 'deposit' && outside > 0n) {
            const back = amount < outside ? amount : outside
            await payIn(back)
            outside -= back
          } else if (does === 'expire') {
            // The vouchers were never submitted, so the money is inside again.
            const expired = open.splice(0)
            wait(2 * HOUR_MS)
            chain.moveTo(now)
            await signer.expireVouchers(
              expired.map((each) => each.voucher),
              chain.mineEmpty(1),
            )
            for (const { movement } of expired) {
              outside -= movement.units
              movement.units = 0n
            }
          } else if (does === 'withdraw' && outside + amount <= 600n) {
            const done = await signed(HOSTILE[who] ?? '', amount)
            if (done) {
              outside += amount
              if (index % 3 === 0) open.push(done)
            }
          }
          if (index % 4 === 0) await expectSumsExact()
          // An honest account withdraws at any moment of this, once.
          if (index % 7 === 6 && honest < HONEST.length) {
            expect(await signed(HONEST[honest] ?? '', 100n), `honest account ${honest}`).toBeDefined()
            honest += 1
          }
        }
      }),
      { numRuns: 8, seed: 15_1, endOnFailure: true },
    )
  })
})
