import { MemoryLedger } from '@clearwell/ledger/testing/memory-ledger'
import { beforeEach, expect, test } from 'vitest'
import { type LendingConfig, lendingParameters } from '../../domain/lending/lending-parameters.ts'
import { stakeConfig } from '../../domain/lending/stake-config.ts'
import { performAction } from '../../testing/perform-action.ts'
import { announceParameters, noticeDaysOf, storeFirstParameters } from './announce-parameters.ts'

const NOW = stakeConfig.shape.stake.parse(undefined)
const STRICT = { ...NOW.ltv, liquidationBps: 8_200 }
const START = new Date('2030-01-01T00:00:00Z')

let ledger: MemoryLedger
beforeEach(() => {
  ledger = new MemoryLedger(START)
  ledger.execute(storeFirstParameters(NOW))
})

const announce = (after: number, parameters: unknown) =>
  performAction(ledger, announceParameters, { after, parameters })

/** Announces parameters after a set. @returns the day on which they take effect. */
function effectOf(after: number, parameters: LendingConfig): string | undefined {
  expect(announce(after, parameters)).toMatchObject({ isDone: true })
  return ledger
    .row(lendingParameters, String(after + 1))
    ?.effective_at.toISOString()
    .slice(0, 10)
}

/** The first parameters with another limit for all orders of an account. */
const withCap = (accountBps: number) => ({ ...NOW, caps: { ...NOW.caps, accountBps } })

test('the parameters of the configuration are stored once', () => {
  const fresh = new MemoryLedger(START)
  const stored = { id: '1', announced_at: START, effective_at: START, parameters: JSON.stringify(NOW) }
  expect(fresh.execute(storeFirstParameters(NOW))).toEqual({ stored: true })
  fresh.advance(60)
  expect(fresh.execute(storeFirstParameters({ ...NOW, termsDays: [7] }))).toEqual({ stored: false })
  expect(fresh.rows(lendingParameters)).toEqual([stored])
})

test('a change that breaks a promise is refused', () => {
  const [usdt, bnb] = NOW.pools
  const refused = (parameters: unknown, text: string, after = 1) =>
    expect(announce(after, parameters)).toEqual({ isDone: false, text: expect.stringContaining(text) })
  refused(NOW, 'same parameters')
  refused({ ...NOW, pools: [usdt] }, 'pool of BNB cannot be removed')
  refused({ ...NOW, pools: [{ ...usdt, reserveBps: 5_000 }, bnb] }, 'of USDT cannot change')
  refused({ ...NOW, collateral: ['BNB', 'USDT'] }, 'ETH cannot be removed')
  refused({ ...NOW, termsDays: [7] }, 'announced meanwhile', 2)
  expect(ledger.rows(lendingParameters)).toHaveLength(1)
  // Fewer terms lend less: immediately.
  expect(effectOf(1, { ...NOW, termsDays: [7] })).toBe('2030-01-01')
  refused({ ...NOW, termsDays: [30] }, 'announced meanwhile')
  expect(ledger.rows(lendingParameters)).toHaveLength(2)
})

test('a change is announced as long before as it can hurt', () => {
  const [usdt, bnb] = NOW.pools
  const { ltv, liquidation, caps, notice } = NOW
  const days = (after: Partial<typeof NOW>) => noticeDaysOf(NOW, { ...NOW, ...after })
  expect(days({ ltv: { ...ltv, initialBps: 6_000 }, caps: { ...caps, orderBps: 1_000 }, termsDays: [7, 30] })).toBe(0)
  expect(days({ pools: [{ ...usdt!, curve: { ...usdt!.curve, baseBps: 100 } }, bnb!] })).toBe(7)
  expect(days({ caps: { ...caps, accountBps: 5_000 } })).toBe(7)
  // One of the terms is new. A pool is new, and no least amount has changed.
  expect(days({ termsDays: [7, 45] })).toBe(7)
  expect(days({ pools: [{ ...usdt!, asset: 'ETH', minLoan: '0.01' }, usdt!, bnb!] })).toBe(7)
  expect(days({ ltv: { ...ltv, liquidationBps: 8_200 } })).toBe(30)
  expect(days({ liquidation: { ...liquidation, bonusBps: 10_900 } })).toBe(30)
  expect(days({ pools: [{ ...usdt!, minLoan: '20' }, bnb!] })).toBe(30)
  expect(days({ pools: [usdt!, { ...bnb!, minLoan: '0.03' }] })).toBe(30)
  expect(days({ pools: [usdt!] })).toBe(30)
  expect(days({ notice: { ...notice, days: 8 } })).toBe(30)
})

test('a change does not overtake one that was announced before', () => {
  const [usdt, bnb] = NOW.pools
  expect(effectOf(1, { ...NOW, ltv: STRICT })).toBe('2030-01-31')
  const dear = { ...NOW, pools: [{ ...usdt!, curve: { ...usdt!.curve, baseBps: 100 } }, bnb!] }
  expect(effectOf(2, dear)).toBe('2030-01-31')
})

// The caps of an account are 40 % at first.
test('a change follows the set in force and those announced', () => {
  expect(effectOf(1, withCap(5_000))).toBe('2030-01-08')
  ledger.advance(86_400)
  // More than 40 %, which count still: its own seven days.
  expect(effectOf(2, withCap(4_500))).toBe('2030-01-09')
  // Less than all of them, so borrowers need no notice, though others take effect after it.
  expect(effectOf(3, withCap(3_000))).toBe('2030-01-02')
  ledger.now = new Date('2030-01-10T00:00:00Z')
  // 45 % are in force since yesterday: the last by effect, not by number. Earlier sets no longer count.
  expect(effectOf(4, withCap(4_200))).toBe('2030-01-10')
})

test('of two changes for one time, the later one counts', () => {
  expect(effectOf(1, { ...NOW, ltv: STRICT })).toBe('2030-01-31')
  expect(effectOf(2, { ...withCap(5_000), ltv: STRICT })).toBe('2030-01-31')
  ledger.now = new Date('2030-01-31T00:00:00Z')
  // At that time, 45 % are less than the 50 % of the later one, and more than the 40 % of the other.
  expect(effectOf(3, { ...withCap(4_500), ltv: STRICT })).toBe('2030-01-31')
})

test('an announcement loads each set before it, and its number', () => {
  expect(announceParameters.preload?.({ after: 2, parameters: NOW })).toEqual(
    ['1', '2', '3'].map((id) => ({ table: lendingParameters, id })),
  )
})
