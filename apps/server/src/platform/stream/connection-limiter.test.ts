import { expect, test } from 'vitest'
import { ConnectionLimiter, networkOf } from './connection-limiter.ts'

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0DB8:0001:0002::9', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['2001:db8:1::3:4:5:6', '2001:db8:1:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
])('the address %s counts as %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

test('a second release of the same stream changes nothing', () => {
  const limiter = new ConnectionLimiter({ inAll: 2, perAddress: 2, perSession: 2 })
  const caller = { address: '::1', session: 'session' }
  const release = limiter.acquire(caller)
  limiter.acquire(caller)
  release()
  release()
  limiter.acquire(caller)
  expect(() => limiter.acquire(caller)).toThrow('not_ready')
})
