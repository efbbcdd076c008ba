import { expect, test } from 'vitest'
import { readEnvironment } from './environment.ts'

test.each([
  [{}, '127.0.0.1'],
  [{ PROFILE: 'staging' }, '0.0.0.0'],
  [{ PROFILE: 'staging', HOST: '127.0.0.1' }, '127.0.0.1'],
  [{ PROFILE: 'production', HOST: 'fd00::5' }, 'fd00::5'],
  [{ HOST: '::1' }, '::1'],
])('%o listens on %s', (variables, host) => {
  expect(readEnvironment(variables).host).toBe(host)
})

test.each([
  [{ HOST: '0.0.0.0' }, 'HOST is "0.0.0.0", and in the local profile it must be a loopback address.'],
  [{ PROFILE: 'staging', HOST: 'example.org' }, 'HOST is "example.org", it must be an address of this machine.'],
])('rejects %o', (variables, message) => {
  expect(() => readEnvironment(variables)).toThrow(message)
})
