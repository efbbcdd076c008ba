import { MemoryLedger } from '@clearwell/ledger/testing/memory-ledger'
import type { AssetId } from '@clearwell/money/asset'
import { E18 } from '@clearwell/money/scale'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { chainCursors } from '../../platform/custody/chain-cursors.ts'
import { exitPayments } from '../../platform/custody/exit-payments.ts'
import { INSURANCE, TREASURY, userAccount, VAULT } from '../../platform/ledger/accounts.ts'
import { exits } from '../../platform/ledger/leaving-accounts.ts'
import { treasuryDebts } from '../../platform/ledger/treasury-debts.ts'
import { type Claim, type CoverPrices, coverPayments } from './cover-payments.ts'
import { exitAdvances } from './exit-advances.ts'

const USER = `0x${'a'.repeat(40)}`
const ID = '56:0x1:3'
const NOW = new Date('2026-11-28T09:00:00Z')
const ONE = { lowE18: E18, highE18: E18 }
const LATER = new Date('2026-11-28T12:00:00Z')
const PRICED = { prices: { USDT: ONE, BNB: { lowE18: 599n * E18, highE18: 601n * E18 } }, goodUntil: LATER }
const UNPRICED = { prices: { USDT: ONE }, goodUntil: LATER }

let ledger: MemoryLedger
let before: Readonly<Record<'BNB' | 'USDT', bigint>>
beforeEach(() => {
  ledger = new MemoryLedger(NOW)
  ledger.put(exits, { id: USER, state: 'open', exit_at: NOW, block: 1n, changed_at: NOW, owes: false, vault: null })
})
afterEach(() => {
  for (const asset of ['BNB', 'USDT'] as const) expect(ledger.total(asset)).toBe(before[asset])
})

/** The vault has paid 100 USDT more than the account had. */
function pay(): void {
  const paid = { user_id: USER, asset: 'USDT' as const, units: 100n, missing: 100n, receiver: '0xc', tx_hash: '0x1' }
  ledger.put(exitPayments, { id: ID, ...paid, block: 9n, booked_at: NOW, taken_back_at: null, base: 1n })
  before = { BNB: ledger.total('BNB'), USDT: ledger.total('USDT') }
}
function give(units: bigint, asset: AssetId = 'USDT', place: 'available' | 'locked' = 'available'): void {
  ledger.add(userAccount(USER, place), asset, units)
  if (before && asset !== 'RT' && asset !== 'ETH') before = { ...before, [asset]: before[asset] + units }
}
const cover = (prices: CoverPrices = PRICED) => {
  const owing = owed().some(([, insurance, treasury]) => insurance || treasury) ? [USER] : []
  return ledger.execute(coverPayments({ payments: ledger.rows(exitPayments), owing }, prices)).payments
}
/** Covers claims that were read at a block; the cursor is at block 9. */
const coverClaims = (claims: readonly Claim[], block = 9n) => {
  ledger.put(chainCursors, { id: '56', number: 9n, hash: '0x9', time: NOW })
  const fixed = { chainId: 56, block, of: [{ account: USER, claims }] }
  return ledger.execute(coverPayments({ payments: [], owing: [], claims: fixed }, PRICED))
}
const units = (account: string, asset: AssetId = 'USDT') => ledger.balance(account, asset)
const own = (asset: AssetId) => units(userAccount(USER, 'available'), asset)
const owed = () => ledger.rows(exitAdvances).map((row) => [row.asset, row.to_insurance, row.to_treasury])
const lastPlan = () => ledger.executed.at(-1)?.plan
const owes = () => ledger.row(exits, USER)?.owes

test('the account pays with what it has in the asset', () => {
  give(130n)
  pay()
  expect(cover()).toEqual([])
  expect([own('USDT'), units(VAULT), owed(), owes()]).toEqual([30n, 100n, [], false])
})

test('its other balances pay at the price that is worse for it', () => {
  give(40n)
  give(3n, 'BNB')
  ledger.add(INSURANCE, 'USDT', 50n)
  ledger.add(TREASURY, 'USDT', 50n)
  pay()
  expect(cover()).toEqual([])
  expect([own('USDT'), own('BNB'), units(VAULT)]).toEqual([0n, 2n, 100n])
  // 60 USDT were missing: 50 of insurance and 10 of the treasury. The one BNB goes to both by these parts, rounded to the treasury.
  expect([units(INSURANCE), units(TREASURY), units(INSURANCE, 'BNB'), units(TREASURY, 'BNB')]).toEqual([
    0n,
    40n,
    0n,
    1n,
  ])
  expect([owed(), owes()]).toEqual([[['USDT', 0n, 0n]], false])
})

test('insurance, then the treasury advance the rest, without the debt', () => {
  ledger.add(INSURANCE, 'USDT', 70n)
  ledger.add(TREASURY, 'USDT', 50n)
  ledger.put(treasuryDebts, { id: 'USDT', units: 30n })
  pay()
  expect(cover()).toEqual([ID])
  expect([units(VAULT), units(INSURANCE), units(TREASURY)]).toEqual([90n, 0n, 30n])
  expect([owed(), owes()]).toEqual([[['USDT', 70n, 20n]], true])
  // The operator pays into the treasury.
  ledger.add(TREASURY, 'USDT', 10n)
  before = { ...before, USDT: before.USDT + 10n }
  expect(cover()).toEqual([])
  expect([units(VAULT), owed()]).toEqual([100n, [['USDT', 70n, 30n]]])
})

test('an advance is taken back from later money, insurance first', () => {
  ledger.add(INSURANCE, 'USDT', 70n)
  ledger.add(TREASURY, 'USDT', 30n)
  pay()
  cover()
  give(80n)
  cover()
  expect([own('USDT'), units(INSURANCE), units(TREASURY), owed(), owes()]).toEqual([
    ...[0n, 70n, 10n],
    [['USDT', 0n, 20n]],
    true,
  ])
  give(25n)
  cover()
  expect([own('USDT'), units(TREASURY), owes()]).toEqual([5n, 30n, false])
  cover()
  expect([own('USDT'), lastPlan()?.entries, lastPlan()?.rows]).toEqual([5n, [], []])
})

test('a balance without a price waits, and then settles', () => {
  give(3n, 'BNB')
  ledger.add(INSURANCE, 'USDT', 100n)
  pay()
  expect(cover(UNPRICED)).toEqual([])
  expect([own('BNB'), units(VAULT), owes()]).toEqual([3n, 100n, true])
  cover({ ...PRICED, goodUntil: new Date(NOW.getTime() - 1) })
  expect(own('BNB')).toBe(3n)
  cover({ ...PRICED, goodUntil: NOW })
  expect([own('BNB'), units(INSURANCE, 'BNB'), owes()]).toEqual([2n, 1n, false])
})

test('waits a minute for amounts that vouchers lock', () => {
  give(60n)
  give(40n, 'USDT', 'locked')
  give(1n, 'BNB', 'locked')
  ledger.add(INSURANCE, 'USDT', 100n)
  pay()
  expect(cover()).toEqual([ID])
  expect([units(VAULT), units(INSURANCE), owed()]).toEqual([60n, 100n, []])
  ledger.advance(60)
  expect([cover(), owed()]).toEqual([[ID], []])
  ledger.now = new Date(ledger.now.getTime() + 1)
  expect(cover()).toEqual([])
  expect([units(VAULT), owed()]).toEqual([100n, [['USDT', 40n, 0n]]])
})

test('fills a balance below its claims, and keeps them there', () => {
  give(40n)
  give(10n, 'USDT', 'locked')
  give(3n, 'BNB')
  give(1n, 'BNB', 'locked')
  ledger.add(INSURANCE, 'USDT', 500n)
  before = { BNB: ledger.total('BNB'), USDT: ledger.total('USDT') }
  // The base had 100 USDT and 3 BNB. Of 4 BNB one is beyond the claims, and pays for the 50 USDT.
  const claims = [{ asset: 'USDT', units: 100n } as const, { asset: 'BNB', units: 3n } as const]
  expect(coverClaims(claims, 8n)).toEqual({ payments: [], accounts: [], isCurrent: false })
  expect(own('USDT')).toBe(40n)
  expect(coverClaims(claims)).toEqual({ payments: [], accounts: [], isCurrent: true })
  expect([own('USDT'), own('BNB'), units(INSURANCE), owes()]).toEqual([90n, 2n, 450n, false])
  expect(coverClaims(claims).accounts).toEqual([])
  expect([own('USDT'), own('BNB')]).toEqual([90n, 2n])
})

test('a payment waits without an entry while no money is there', () => {
  pay()
  expect([cover(), lastPlan()?.entries, owed(), owes()]).toEqual([[ID], [], [], false])
  // A later advance covers it, and the time of an advance changes only with its units.
  ledger.add(INSURANCE, 'USDT', 100n)
  before = { ...before, USDT: 100n }
  ledger.advance(1)
  const advancedAt = ledger.now
  expect([cover(), owed(), owes()]).toEqual([[], [['USDT', 100n, 0n]], true])
  ledger.advance(1)
  expect([cover(), lastPlan()?.entries, lastPlan()?.rows]).toEqual([[], [], []])
  expect(ledger.rows(exitAdvances)).toMatchObject([{ changed_at: advancedAt }])
})

test('names an account whose claims nothing can fill', () => {
  ledger.add(TREASURY, 'USDT', 3n)
  before = { BNB: 0n, USDT: 3n }
  expect(coverClaims([{ asset: 'USDT', units: 5n }]).accounts).toEqual([USER])
  expect([own('USDT'), owed(), owes()]).toEqual([3n, [['USDT', 0n, 3n]], true])
})

test('a payment that is unknown or whole needs nothing', () => {
  give(40n)
  pay()
  ledger.put(exitPayments, { ...ledger.rows(exitPayments)[0]!, missing: 0n })
  const payments = [ID, '56:0x2:1'].map((id) => ({ id, user_id: USER, asset: 'USDT' as const }))
  const unknown = `0x${'b'.repeat(40)}`
  expect(ledger.execute(coverPayments({ payments, owing: [unknown] }, PRICED)).payments).toEqual([])
  expect([lastPlan()?.entries, lastPlan()?.rows]).toEqual([[], []])
  expect([own('USDT'), units(VAULT), owed()]).toEqual([40n, 0n, []])
})

test('an advance is taken back while the claims of another account wait', () => {
  ledger.add(INSURANCE, 'USDT', 100n)
  pay()
  cover()
  give(30n)
  // The watcher has no cursor.
  const claims = { chainId: 56, block: 8n, of: [{ account: '0xb', claims: [{ asset: 'USDT', units: 7n }] }] } as const
  const uncovered = { payments: [], owing: [USER], claims }
  expect(ledger.execute(coverPayments(uncovered, PRICED))).toEqual({ payments: [], accounts: [], isCurrent: false })
  expect([own('USDT'), units(INSURANCE), owed(), owes()]).toEqual([0n, 30n, [['USDT', 70n, 0n]], true])
  expect(ledger.rows(exitAdvances)[0]).toMatchObject({ user_id: USER, changed_at: NOW })
  expect(ledger.balance(userAccount('0xb', 'available'), 'USDT')).toBe(0n)
})
