import { expect, test } from 'vitest'
import { missingVariables, readEnvironment } from './environment.ts'

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
  [{}, 'plain'],
  [{ PROFILE: 'staging' }, 'exits'],
  [{ PROFILE: 'production' }, 'exits'],
  [{ PROFILE: 'production', VAULT_KIND: 'plain' }, 'plain'],
  [{ VAULT_KIND: 'exits' }, 'exits'],
] as const)('the vault of %o is %s', (variables, kind) => {
  expect(readEnvironment({ PROOFS: 'on', ...variables }).vaultKind).toBe(kind)
})

test('a vault with exits needs headers and a bookkeeper', () => {
  const faultsOf = (more: object) =>
    missingVariables(readEnvironment({ VAULT_KIND: 'exits', PROOFS: 'off', ...more }), undefined)
  expect([...faultsOf({ PROFILE: 'staging' }).keys()]).toEqual(expect.arrayContaining(['PROOFS', 'BOOKKEEPER_URL']))
  expect([...faultsOf({}).keys()]).toEqual(['PROOFS'])
  expect(missingVariables(readEnvironment({ PROOFS: 'off' }), undefined).size).toBe(0)
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

const [ADDRESS, OTHER] = [`0x${'a1'.repeat(20)}`, `0x${'B2'.repeat(20)}`]
const TOKEN = `0x${'c3'.repeat(32)}`
const FIRST = { BOOKKEEPER_URL: 'https://one.example/', BOOKKEEPER_ADDRESS: ADDRESS, BOOKKEEPER_TOKEN: TOKEN }
const SECOND = { BOOKKEEPER_URL_2: 'https://two.example', BOOKKEEPER_ADDRESS_2: OTHER, BOOKKEEPER_TOKEN_2: TOKEN }

test.each([
  [{}, []],
  [FIRST, [['https://one.example', ADDRESS]]],
  [
    { ...FIRST, ...SECOND },
    [
      ['https://one.example', ADDRESS],
      ['https://two.example', OTHER.toLowerCase()],
    ],
  ],
])('reads the bookkeepers of %o', (variables, expected) => {
  expect(readEnvironment(variables).bookkeepers.map(({ url, address }) => [url, address])).toEqual(expected)
})

test.each([
  [{ ...FIRST, BOOKKEEPER_TOKEN: '' }, 'BOOKKEEPER_URL, BOOKKEEPER_ADDRESS and BOOKKEEPER_TOKEN must be set together'],
  [{ ...FIRST, ...SECOND, BOOKKEEPER_URL_2: '' }, 'BOOKKEEPER_URL_2, BOOKKEEPER_ADDRESS_2 and BOOKKEEPER_TOKEN_2 must'],
  [SECOND, 'BOOKKEEPER_URL_2 is set without BOOKKEEPER_URL.'],
  [{ ...FIRST, ...SECOND, BOOKKEEPER_ADDRESS_2: ADDRESS }, 'each bookkeeper has its own key'],
])('rejects the bookkeepers of %o', (variables, message) => {
  expect(() => readEnvironment(variables)).toThrow(message)
})
