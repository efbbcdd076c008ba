import { expect, test } from 'vitest'
import { parseAddress, shortAddress } from './address.ts'

const CHECKED = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const LOWER = CHECKED.toLowerCase()

test.each([CHECKED, LOWER, `0x${LOWER.slice(2).toUpperCase()}`])(
  '%s is an address in lower case',
  { tags: ['§5.13', '§5.14'] },
  (text) => {
    expect(parseAddress(text)).toBe(LOWER)
  },
)

test.each([
  '',
  '0x1234',
  `${LOWER}0`,
  LOWER.slice(0, -1),
  LOWER.slice(2),
  `0X${LOWER.slice(2)}`,
  ` ${LOWER}`,
  `${LOWER}\n`,
  `0x${'g'.repeat(40)}`,
])('%j is no address', { tags: ['§5.13'] }, (text) => {
  expect(() => parseAddress(text)).toThrow(
    expect.objectContaining({
      refusal: 'invalid_account',
      data: { reason: 'Address must be a hex value of 20 bytes (40 hex characters)' },
    }),
  )
})

test('mixed case must match the checksum', { tags: ['§5.14'] }, () => {
  expect(() => parseAddress('0xF39Fd6e51aad88F6F4ce6aB8827279cffFb92266')).toThrow(
    expect.objectContaining({
      refusal: 'invalid_account',
      data: { reason: 'Address must match its checksum counterpart' },
    }),
  )
})

test('a short address has the case of its checksum', () => {
  expect(shortAddress(LOWER)).toBe('0xf39F…2266')
})
