import { expect, test } from 'vitest'
import { activationOf, isApart, reservedFor } from './swap-activation.ts'

const E18 = 10n ** 18n
const INACTIVE = { status: 0, price: '10', asset: 'USDT' } as const
const WITH_SWAP = { name: 'with_swap', price: '10', asset: 'USDT', units: 10n * E18 } as const

test.each([
  ['not loaded yet', undefined, { name: 'loading' }],
  ['inactive', INACTIVE, WITH_SWAP],
  ['inactive while activation is closed', { ...INACTIVE, opens_at: '2030-01-01T00:00:00Z' }, { name: 'apart' }],
  ['paying by wallet', { ...INACTIVE, status: 1 }, { name: 'apart' }],
  ['activated', { ...INACTIVE, status: 2 }, { name: 'none' }],
] as const)('an account that is %s', (_, status, activation) => {
  expect(activationOf(status)).toEqual(activation)
})

test('the price is kept back only from the asset that pays it', () => {
  expect(reservedFor(WITH_SWAP, 'USDT')).toBe(10n * E18)
  expect(reservedFor(WITH_SWAP, 'BNB')).toBe(0n)
  expect(reservedFor({ name: 'none' }, 'USDT')).toBe(0n)
})

test.each([
  ['selling USDT, which the form sums up', 'USDT', '0', false],
  ['selling BNB with the price in USDT at hand', 'BNB', '10', false],
  ['selling BNB without the price in USDT', 'BNB', '9.999', true],
] as const)('%s', (_, asset, available, apart) => {
  expect(isApart({ balances: [{ asset: 'USDT', available }], sell: { asset } }, WITH_SWAP)).toBe(apart)
})

test('a payment by wallet in progress keeps activation apart', () => {
  expect(isApart({ balances: undefined, sell: { asset: 'USDT' } }, { name: 'apart' })).toBe(true)
  expect(isApart({ balances: undefined, sell: { asset: 'USDT' } }, { name: 'loading' })).toBe(false)
})
