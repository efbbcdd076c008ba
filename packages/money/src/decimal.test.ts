import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cutDecimals, formatUnits, parseUnits, unitsThatBeginWith } from './decimal.ts'

const decimals = fc.integer({ min: 0, max: 18 })

describe('parseUnits', () => {
  test.each([
    ['0', 18, 0n],
    ['1', 18, 1_000_000_000_000_000_000n],
    ['12.5', 18, 12_500_000_000_000_000_000n],
    ['0.000000000000000001', 18, 1n],
    ['1.50', 2, 150n],
    ['7', 0, 7n],
    ['0.0', 6, 0n],
    ['9'.repeat(30), 0, 10n ** 30n - 1n],
    [`${'9'.repeat(30)}.${'9'.repeat(18)}`, 18, 10n ** 48n - 1n],
  ])('%s with %i decimals is read as %s base units', (text, count, units) => {
    expect(parseUnits(text, count)).toBe(units)
  })

  test.each([
    ['an empty text', ''],
    ['a blank', ' '],
    ['an exponent', '1e3'],
    ['an upper-case exponent', '1E3'],
    ['a minus sign', '-1'],
    ['a plus sign', '+1'],
    ['minus zero', '-0'],
    ['a hexadecimal number', '0x10'],
    ['a binary number', '0b1'],
    ['a BigInt literal', '1n'],
    ['a separator of digits', '1_000'],
    ['a grouping comma', '1,000'],
    ['a decimal comma', '1,5'],
    ['a leading space', ' 1'],
    ['a trailing space', '1 '],
    ['a trailing line break', '1\n'],
    ['a second line', '1\n2'],
    ['a point with nothing behind it', '1.'],
    ['a point with nothing before it', '.5'],
    ['a point alone', '.'],
    ['two points', '1.2.3'],
    ['a leading zero', '01'],
    ['two zeros', '00'],
    ['full-width digits', '\uFF11\uFF12'],
    ['a full-width point', '1\uFF0E5'],
    ['Arabic digits', '\u0661\u0662'],
    ['a Chinese numeral', '一'],
    ['NUL', '\0'],
    ['a number with NUL behind it', '1\0'],
    ['a byte order mark', '\uFEFF1'],
    ['a zero-width space', '1\u200B'],
    ['a right-to-left mark', '\u200F1'],
    ['31 digits before the point', '1'.repeat(31)],
    ['40 digits', '1'.repeat(40)],
    ['19 digits behind the point', `1.${'0'.repeat(19)}`],
    ['40 digits behind the point', `1.${'1'.repeat(40)}`],
    ['NaN', 'NaN'],
    ['Infinity', 'Infinity'],
  ])('parseUnits rejects %s', (_name, text) => {
    expect(parseUnits(text, 18)).toBeUndefined()
  })

  test('parseUnits rejects too many decimals, even zeros', () => {
    expect(parseUnits('1.001', 2)).toBeUndefined()
    expect(parseUnits('1.000', 2)).toBeUndefined()
    expect(parseUnits('1.0', 0)).toBeUndefined()
  })

  test('parseUnits accepts only plain digits with at most one point', () => {
    const nearlyNumbers = fc.string({ unit: fc.constantFrom(...'0123456789.eExX-+ ,_n\0'), maxLength: 8 })
    fc.assert(
      fc.property(fc.oneof(fc.string(), nearlyNumbers), decimals, (text, count) => {
        const units = parseUnits(text, count)
        if (units === undefined) return
        expect(units).toBeGreaterThanOrEqual(0n)
        expect([...text].every((sign) => sign === '.' || (sign >= '0' && sign <= '9'))).toBe(true)
        const [whole = '', fraction = ''] = text.split('.')
        // Worked out another way: the value times 10^decimals, digit by digit from the left.
        const scaled = [...whole, ...fraction].reduce((sum, digit) => sum * 10n + BigInt(digit.charCodeAt(0) - 48), 0n)
        expect(units).toBe(scaled * 10n ** BigInt(count - fraction.length))
      }),
    )
  })

  test('parseUnits keeps the order of amounts', () => {
    const units = fc.bigInt({ min: 0n, max: 10n ** 30n })
    fc.assert(
      fc.property(units, units, (a, b) => {
        const [x, y] = [parseUnits(formatUnits(a, 18), 18)!, parseUnits(formatUnits(b, 18), 18)!]
        expect(x < y).toBe(a < b)
      }),
    )
  })
})

describe('formatUnits', () => {
  test.each([
    [0n, 18, '0'],
    [1n, 18, '0.000000000000000001'],
    [-1n, 18, '-0.000000000000000001'],
    [10n ** 18n, 18, '1'],
    [-25n * 10n ** 17n, 18, '-2.5'],
    [150n, 2, '1.5'],
    [100n, 0, '100'],
    [10n ** 48n, 18, `1${'0'.repeat(30)}`],
  ])('%s base units with %i decimals are written as %s', (units, count, text) => {
    expect(formatUnits(units, count)).toBe(text)
  })

  test('formatted units parse back to the same units', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n - 1n }), decimals, (units, count) => {
        expect(parseUnits(formatUnits(units, count), count)).toBe(units)
      }),
    )
  })

  test('formatUnits writes a negative amount with a minus sign', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 48n }), decimals, (units, count) => {
        expect(formatUnits(-units, count)).toBe(`-${formatUnits(units, count)}`)
      }),
    )
  })

  test('formatUnits writes no exponent, grouping or trailing zeros', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 60n), max: 10n ** 60n }), decimals, (units, count) => {
        expect(formatUnits(units, count)).toMatch(/^-?(0|[1-9]\d*)(\.\d*[1-9])?$/)
      }),
    )
  })
})

describe('cutDecimals', () => {
  test.each([
    ['1.23456', 2, '1.23'],
    ['1.999', 2, '1.99'],
    ['1.999', 0, '1'],
    ['1.001', 2, '1'],
    ['1.5', 8, '1.5'],
    ['12', 4, '12'],
    ['-1.999', 2, '-1.99'],
    ['-0.001', 2, '0'],
    ['0.00000000123', 8, '0'],
  ])('%s cut to %i decimals reads %s', (text, count, cut) => {
    expect(cutDecimals(text, count)).toBe(cut)
  })

  test('cutDecimals loses less than one unit of the last decimal kept', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), decimals, (units, count) => {
        const cut = cutDecimals(formatUnits(units, 18), count)
        const cutUnits = (cut.startsWith('-') ? -1n : 1n) * parseUnits(cut.replace('-', ''), 18)!
        const lost = units < 0n ? cutUnits - units : units - cutUnits
        expect(lost).toBeGreaterThanOrEqual(0n)
        expect(lost).toBeLessThan(10n ** BigInt(18 - count))
      }),
    )
  })
})

describe('unitsThatBeginWith', () => {
  test.each([
    ['12', 2, 1200n, 1300n],
    ['12.3', 2, 1230n, 1240n],
    ['12.34', 2, 1234n, 1235n],
    ['0', 2, 0n, 100n],
    ['7', 0, 7n, 8n],
    ['1.50', 6, 1_500_000n, 1_510_000n],
  ])('%s with %i decimals means %s up to %s base units', (digits, count, from, below) => {
    expect(unitsThatBeginWith(digits, count)).toEqual({ from, below })
  })

  test.each(['1.234', '', '-1', '1,000', '1.'])('%j with 2 decimals means no amount', (digits) => {
    expect(unitsThatBeginWith(digits, 2)).toBeUndefined()
  })

  test('holds every amount whose shown digits were cut from it', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.integer({ min: 0, max: 18 }), (units, shown) => {
        const digits = cutDecimals(formatUnits(units, 18), shown)
        const range = unitsThatBeginWith(digits, 18)
        expect(range && range.from <= units && units < range.below).toBe(true)
      }),
    )
  })
})
