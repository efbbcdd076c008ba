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

test('the vault is plain unless VAULT_KIND says otherwise', () => {
  expect(readEnvironment({}).vaultKind).toBe('plain')
  expect(readEnvironment({ VAULT_KIND: 'exits' }).vaultKind).toBe('exits')
})

test.each([
  [{ VAULT_KIND: 'both' }, 'VAULT_KIND is "both", it must be one of plain, exits.'],
  [{ HOST: '0.0.0.0' }, 'HOST is "0.0.0.0", and in the local profile it must be a loopback address.'],
  [{ PROFILE: 'staging', HOST: 'example.org' }, 'HOST is "example.org", it must be an address of this machine.'],
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318', OTEL_TRACES_SAMPLER_ARG: '1.5' },
    'OTEL_TRACES_SAMPLER_ARG is "1.5", it must be a number from 0 to 1.',
  ],
  [{ ALARM_WEBHOOK_URL: 'https://hooks.example' }, 'ALARM_WEBHOOK_URL and ALARM_WEBHOOK_KEY must be set together'],
  [
    { ALARM_WEBHOOK_URL: 'https://hooks.example', ALARM_WEBHOOK_KEY: 'whsec_c2hvcnQ=' },
    'ALARM_WEBHOOK_KEY is not a valid key: it must be 24 to 64 bytes in base64.',
  ],
])('rejects %o', (variables, message) => {
  expect(() => readEnvironment(variables)).toThrow(message)
})
