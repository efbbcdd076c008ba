import { expect, test } from 'vitest'
import { clientAddress } from './client-address.ts'

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::ffff:cb00:7107', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0DB8:0001:0002::9', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['2001:db8:1::3:4:5:6', '2001:db8:1:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['203.0.113.7:4711', '203.0.113.7'],
  ['[2001:db8:1:2::3]:4711', '2001:db8:1:2'],
])('the address %s counts as %s', (ip, network) => {
  expect(clientAddress({ ip, peer: '10.0.0.1' })).toBe(network)
})

test.each([['unknown'], [''], ['x'.repeat(5_000)], ['999.1.1.1'], ['203.0.113.7, evil']])(
  'the text %j instead of an address counts as the connection',
  (ip) => {
    expect(clientAddress({ ip, peer: '10.0.0.1' })).toBe('10.0.0.1')
  },
)
