import { MemoryLedger } from '@clearwell/ledger/testing/memory-ledger'
import { beforeEach, expect, test } from 'vitest'
import { stakeConfig } from '../../domain/lending/stake-config.ts'
import { performAction } from '../../testing/perform-action.ts'
import { announceParameters, noticeDaysOf, storeFirstParameters } from './announce-parameters.ts'

const NOW = stakeConfig.shape.stake.parse(undefined)

let ledger: MemoryLedger
beforeEach(() => {
  ledger = new MemoryLedger(new Date('2030-01-01T00:00:00Z'))
  ledger.execute(storeFirstParameters(NOW))
})

const announce = (after: number, parameters: unknown) =>
  performAction(ledger, announceParameters, { after, parameters })

test('a change that breaks a promise is refused', () => {
  const [usdt, bnb] = NOW.pools
  const textOf = (parameters: unknown, after = 1) => announce(after, parameters).text
  expect(textOf(NOW)).toContain('same parameters')
  expect(textOf({ ...NOW, pools: [usdt] })).toContain('cannot be removed')
  expect(textOf({ ...NOW, pools: [{ ...usdt, reserveBps: 5_000 }, bnb] })).toContain('cannot change')
  expect(textOf({ ...NOW, collateral: ['BNB', 'USDT'] })).toContain('ETH cannot be removed')
  // Fewer terms lend less: immediately.
  expect(textOf({ ...NOW, termsDays: [7] })).toContain('2030-01-01T00:00:00.000Z')
  expect(textOf({ ...NOW, termsDays: [30] })).toContain('announced meanwhile')
})

test('a change is announced as long before as it can hurt', () => {
  const [usdt, bnb] = NOW.pools
  const { ltv, liquidation, caps, notice } = NOW
  const days = (after: Partial<typeof NOW>) => noticeDaysOf(NOW, { ...NOW, ...after })
  expect(days({ ltv: { ...ltv, initialBps: 6_000 }, caps: { ...caps, orderBps: 1_000 }, termsDays: [7, 30] })).toBe(0)
  expect(days({ pools: [{ ...usdt!, curve: { ...usdt!.curve, baseBps: 100 } }, bnb!] })).toBe(7)
  expect(days({ caps: { ...caps, accountBps: 5_000 } })).toBe(7)
  expect(days({ ltv: { ...ltv, liquidationBps: 8_200 } })).toBe(30)
  expect(days({ liquidation: { ...liquidation, bonusBps: 10_900 } })).toBe(30)
  expect(days({ pools: [{ ...usdt!, minLoan: '20' }, bnb!] })).toBe(30)
  expect(days({ notice: { ...notice, days: 8 } })).toBe(30)
})

test('a change does not overtake one that was announced before', () => {
  const [usdt, bnb] = NOW.pools
  expect(announce(1, { ...NOW, ltv: { ...NOW.ltv, liquidationBps: 8_200 } }).text).toContain('2030-01-31')
  const dear = { ...NOW, pools: [{ ...usdt!, curve: { ...usdt!.curve, baseBps: 100 } }, bnb!] }
  expect(announce(2, dear).text).toContain('2030-01-31')
})
