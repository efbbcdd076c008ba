import { expect, test } from 'vitest'
import { kitAddress } from './kit-address.ts'

test('the address of the kit carries chain, vault and account', () => {
  expect(kitAddress('/exit-kit.html', { chain: 56, vault: '0xab', account: '0xcd' })).toBe(
    '/exit-kit.html#chain=56&vault=0xab&account=0xcd',
  )
  expect(kitAddress('/exit-kit.html', undefined)).toBe('/exit-kit.html')
})
