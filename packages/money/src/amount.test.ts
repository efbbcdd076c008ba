import fc from 'fast-check'
import { expect, test } from 'vitest'
import { amountOf, formatAmount, parseAmount } from './amount.ts'
import { ASSET_DECIMALS, ASSET_IDS, isAssetId } from './asset.ts'

const asset = fc.constantFrom(...ASSET_IDS)

test('parses an amount together with its asset', () => {
  expect(parseAmount('12.5', 'USDT')).toEqual({ asset: 'USDT', units: 12_500_000_000_000_000_000n })
})

test('a formatted amount parses back to the same amount', () => {
  fc.assert(
    fc.property(asset, fc.bigInt({ min: 0n, max: 10n ** 48n - 1n }), (id, units) => {
      expect(parseAmount(formatAmount({ asset: id, units }), id)).toEqual({ asset: id, units })
    }),
  )
})

test('formats and parses the smallest unit of every asset', () => {
  for (const id of ASSET_IDS) {
    const text = formatAmount({ asset: id, units: 1n })
    expect(text).toBe(`0.${'0'.repeat(ASSET_DECIMALS[id] - 1)}1`)
    expect(parseAmount(text, id)?.units).toBe(1n)
  }
})

test('rejects an amount with too many decimals', () => {
  for (const id of ASSET_IDS) {
    expect(parseAmount(`0.${'0'.repeat(ASSET_DECIMALS[id])}1`, id)).toBeUndefined()
  }
})

test('formats a negative amount with a minus sign', () => {
  expect(formatAmount({ asset: 'BNB', units: -500_000_000_000_000_000n })).toBe('-0.5')
})

test('amountOf throws for invalid text and names text and asset', () => {
  expect(amountOf('100', 'RT').units).toBe(100n * 10n ** 18n)
  expect(() => amountOf('1e3', 'RT')).toThrow('amountOf: "1e3" is not an amount of RT')
})

test('isAssetId accepts only the assets of the ledger', () => {
  for (const id of ASSET_IDS) expect(isAssetId(id)).toBe(true)
  for (const other of ['', 'bnb', 'BTC', 'toString', '__proto__', 0, null, undefined, ['BNB']]) {
    expect(isAssetId(other)).toBe(false)
  }
})
