import { expect, test } from 'vitest'
import { centsHeld, centsOwed } from './cents.ts'
import { parseUnits } from './decimal.ts'

const units = (text: string) => parseUnits(text, 18) ?? 0n

test.each([
  ['199.999999999999999999', 20_000n],
  ['199.9999990000000001', 20_000n],
  ['199.999998', 19_999n],
  ['3452.699', 345_269n],
  ['0.000000000000000001', 0n],
  ['0', 0n],
])('%s that is held shows %s cents', (text, cents) => {
  expect(centsHeld(units(text))).toBe(cents)
  expect(centsHeld(-units(text))).toBe(-cents)
})

test.each([
  ['3452.691', 345_270n],
  ['3452.69', 345_269n],
  ['3452.690000000000000001', 345_269n],
  ['3452.690002', 345_270n],
  ['0.000000000000000001', 0n],
  ['0', 0n],
])('%s that is owed shows %s cents', (text, cents) => {
  expect(centsOwed(units(text))).toBe(cents)
})
