import { DEFAULT_BOX_RULES } from '@clearwell/rules/box-rules'
import { expect, test } from 'vitest'
import { loadConfig } from './load-config.ts'
import { needsOf } from './platform/operator/operator-action.ts'
import { ruleActions } from './platform/rules/announce-rule.ts'
import { RULES } from './rules.ts'

const ruleOf = (key: string) => RULES.find((rule) => rule.key === key) as (typeof RULES)[number]
const DAYTIME = { opens: '09:00', closes: '18:00' }
const LIMITS = { minIn: '1', maxIn: '100', minOut: '1', maxOut: '100' }
const CAPS = { perVoucher: '100', perAccountPerDay: '200', perDay: '300' }
const SPLIT = { rewards: 5_000, referral: 2_000, insurance: 1_000, treasury: 2_000 }

test.each([
  ['swap-fees', { feeBps: 25, revenueBps: 8 }, { feeBps: 26, revenueBps: 8 }, true],
  ['swap-fees', { feeBps: 25, revenueBps: 8 }, { feeBps: 20, revenueBps: 7 }, false],
  ['swap-fees', { feeBps: 25, revenueBps: 8 }, { feeBps: 20, revenueBps: 6 }, true],
  ['swap-fees', { feeBps: 0, revenueBps: 0 }, { feeBps: 0, revenueBps: 0 }, false],
  ['revenue-split', SPLIT, { ...SPLIT, rewards: 4_000, treasury: 3_000 }, true],
  ['revenue-split', SPLIT, { ...SPLIT, insurance: 900, treasury: 2_100 }, true],
  ['revenue-split', SPLIT, { ...SPLIT, rewards: 6_000, treasury: 1_000 }, false],
  ['activation-price', '10', '10.000000000000000001', true],
  ['activation-price', '10', '9', false],
  ['claim-opening', 'always', DAYTIME, true],
  ['claim-opening', DAYTIME, { opens: '09:01', closes: '18:00' }, true],
  ['claim-opening', DAYTIME, { opens: '08:00', closes: '18:00' }, false],
  ['box-opening', DAYTIME, 'always', false],
  ['box-rules', DEFAULT_BOX_RULES, { ...DEFAULT_BOX_RULES, poolParts: 29 }, true],
  ['limits-BNB', LIMITS, { ...LIMITS, minIn: '1.5' }, true],
  ['limits-BNB', LIMITS, { ...LIMITS, maxOut: '99.9' }, true],
  ['caps-USDT', CAPS, { ...CAPS, perDay: '299.9' }, true],
  ['caps-USDT', CAPS, { perVoucher: '100', perAccountPerDay: '250', perDay: '300' }, false],
  ['limits-BNB', LIMITS, { minIn: '0.5', maxIn: '200', minOut: '0.5', maxOut: '200' }, false],
])('%s from %o to %o can worsen a position: %s', (key, before, after, worsens) => {
  expect([key, ruleOf(key).worsens(before, after)]).toEqual([key, worsens])
})

test('every rule reads the shipped configuration and shows each part', async () => {
  const config = await loadConfig({})
  for (const rule of RULES) {
    const value = rule.schema.parse(rule.read(config))
    expect([rule.key, rule.fault?.(value)]).toEqual([rule.key, undefined])
    expect([rule.key, rule.parts.every((part) => part.read(value).length > 0)]).toEqual([rule.key, true])
  }
  expect(new Set(RULES.map(({ key }) => key)).size).toBe(RULES.length)
})

test('two owners announce fees, and two persons of risk announce limits', () => {
  const [announce, withdraw] = ruleActions(RULES)
  const needs = (rule: string) => needsOf(announce, { rule, value: null })
  expect([needs('swap-fees'), needs('limits-BNB')]).toEqual([
    { role: 'owner', persons: 2 },
    { role: 'risk', persons: 2 },
  ])
  expect(needsOf(withdraw, { id: 'limits-BNB-12' })).toEqual({ role: 'risk', persons: 2 })
})
