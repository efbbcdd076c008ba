import { describe, expect, test } from 'vitest'
import { ConfigError } from './config-error.ts'
import { readProxies } from './trusted-proxies.ts'

test.each([
  [undefined, ['127.0.0.0/8', '::1/128']],
  [' ', ['127.0.0.0/8', '::1/128']],
  ['none', []],
  ['10.0.0.5', ['10.0.0.5']],
  ['10.0.0.0/8, fd00:1::/64,::1', ['10.0.0.0/8', 'fd00:1::/64', '::1']],
])('TRUSTED_PROXIES %j is read as %j', (text, proxies) => {
  expect(readProxies(text)).toEqual(proxies)
})

describe('TRUSTED_PROXIES is rejected', () => {
  test.each([
    'proxy.example',
    '10.0.0.5;10.0.0.6',
    '10.0.0.5,',
    '10.0.0.256',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0/8',
    'fd00::/129',
    'fe80::1%eth0',
    'true',
    'loopback',
    '*',
  ])('TRUSTED_PROXIES is refused as malformed: %s', (text) => {
    expect(() => readProxies(text)).toThrow(ConfigError)
    expect(() => readProxies(text)).toThrow(/^TRUSTED_PROXIES contains ".*", each entry must be an address/)
  })

  test.each(['0.0.0.0/0', '::/0', '10.0.0.5,128.0.0.0/1', '2000::/3'])(
    'TRUSTED_PROXIES is refused as trusting everyone: %s',
    (text) => {
      expect(() => readProxies(text)).toThrow(/trusts far more than proxies/)
    },
  )
})
