import { zeroAddress } from 'viem'
import { expect, test } from 'vitest'
import type { PlatformConfig } from '../../config/platform-config.ts'
import type { Custody } from '../chain/chain.ts'
import { createRules } from '../rules/ruled.ts'
import { ruleRow } from '../rules/rules.tables.ts'
import { CAP_RULES, lowerCaps } from './cap-rules.ts'
import { signerAssetsInForce } from './open-signer.ts'

const NOW = new Date('2030-01-01T00:00:00Z')
const FILE = { perVoucher: '10', perAccountPerDay: '20', perDay: '50' }
const E18 = 10n ** 18n

test('an announced cap counts where it is lower', () => {
  expect(lowerCaps(FILE, { perVoucher: '5', perAccountPerDay: '20', perDay: '500' })).toEqual({
    ...FILE,
    perVoucher: '5',
  })
})

test('the signer uses announced caps below the ceiling of the file', async () => {
  const config = {
    withdrawals: { caps: { BNB: FILE, USDT: FILE, ETH: FILE } },
  } as Partial<PlatformConfig> as PlatformConfig
  const announced = { perVoucher: '2', perAccountPerDay: '4', perDay: '60' }
  const row = ruleRow(CAP_RULES.BNB, [{ value: announced, from: NOW, change: 1 }], 1)
  const rules = createRules({ db: { query: async () => [row] } as never, clock: { now: () => NOW }, config })
  const custody = { tokens: [] } as Partial<Custody> as Custody
  expect(await signerAssetsInForce(config, rules, custody)).toEqual([
    { asset: 'BNB', token: zeroAddress, unit: 1n, perVoucher: 2n * E18, perAccountPerDay: 4n * E18, perDay: 50n * E18 },
  ])
})

const FAULT = 'perVoucher must not be above perAccountPerDay, nor that above perDay'
test.each([
  ['all equal', { perVoucher: '5', perAccountPerDay: '5', perDay: '5' }, undefined],
  ['a transfer above its account', { perVoucher: '21', perAccountPerDay: '20', perDay: '50' }, FAULT],
  ['an account above all', { perVoucher: '10', perAccountPerDay: '51', perDay: '50' }, FAULT],
])('caps must not contradict each other: %s', (_case, caps, fault) => {
  expect(CAP_RULES.BNB.fault?.(caps)).toBe(fault)
})

test.each([
  ['perVoucher', '9', true],
  ['perAccountPerDay', '19', true],
  ['perDay', '49', true],
  ['perDay', '51', false],
] as const)('users lose when a cap falls: %s %s', (name, value, loses) => {
  expect(CAP_RULES.BNB.worsens(FILE, { ...FILE, [name]: value })).toBe(loses)
})
