import { expect, test } from 'vitest'
import { readAddressSearch } from './member-search.tsx'

test.each([
  ['0x12', undefined],
  ['0x123', '123'],
  [' 0xABC ', 'abc'],
  ['0x1234…abcd', '1234…abcd'],
  ['0x1234...abcd', '1234...abcd'],
  ['xyz', null],
  [`0x${'1'.repeat(41)}`, null],
])('the search %j asks for %j', (text, digits) => {
  expect(readAddressSearch(text)).toBe(digits)
})
