import { expect, test } from 'vitest'
import { readSettings } from './settings.ts'

const VAULT = `0x${'aB'.repeat(20)}`
const NEEDED = ['--node', 'http://n', '--vault', VAULT, '--chain', '56', '--headers', 'http://s/h.jsonl/']
const KEY = `0x${'12'.repeat(32)}`

test('flags win over the environment, and the rest has defaults', () => {
  const settings = readSettings([...NEEDED, '--every', '5'], {
    WATCH_EVERY: '7',
    WATCH_BOOKKEEPER: 'http://a http://b',
  })
  expect(settings).toMatchObject({
    ...{
      vaults: [{ address: VAULT.toLowerCase(), block: 0n }],
      chainId: 56,
      headers: ['http://s/h.jsonl'],
      everyMs: 5_000,
      key: undefined,
    },
    ...{ bookkeepers: ['http://a', 'http://b'], confirmations: 15n, mostFee: 5_000_000_000n, from: undefined },
  })
  expect(readSettings(['--help'], {})).toBeUndefined()
})

test('the environment alone is enough', () => {
  const settings = readSettings([], {
    ...{ WATCH_NODE: 'http://n', WATCH_VAULT: VAULT, WATCH_CHAIN: '97', WATCH_HEADERS: 'http://s' },
    ...{ WATCH_VAULT_BLOCK: '12', WATCH_FROM: '0', WATCH_PRIVATE_KEY: KEY },
  })
  expect(settings).toMatchObject({ vaults: [{ block: 12n }], from: 0n, key: KEY })
})

test('the vaults of a move are given oldest first', () => {
  const next = `0x${'7b'.repeat(20)}`
  const vaultsOf = (...more: string[]) => readSettings([...NEEDED, '--vault', next, ...more], {})?.vaults
  const vaults = (...blocks: bigint[]) => [
    { address: VAULT.toLowerCase(), block: blocks[0] },
    { address: next, block: blocks[1] },
  ]
  expect(vaultsOf('--vault-block', '5', '--vault-block', '9')).toEqual(vaults(5n, 9n))
  expect(vaultsOf('--vault-block', '5')).toEqual(vaults(5n, 5n))
  const variables = { WATCH_NODE: 'http://n', WATCH_CHAIN: '97', WATCH_HEADERS: 'http://s' }
  const both = { WATCH_VAULT: `${VAULT} ${next}`, WATCH_VAULT_BLOCK: '5 9' }
  expect(readSettings([], { ...variables, ...both })?.vaults).toEqual(vaults(5n, 9n))
  expect(() => vaultsOf('--vault', next.toUpperCase().replace('0X', '0x'))).toThrow('--vault names one twice')
  expect(() => vaultsOf(...['1', '2', '3'].flatMap((block) => ['--vault-block', block]))).toThrow(
    '--vault-block is there more often than --vault',
  )
})

test.each([
  ['--vault', ['--vault', '0x12']],
  ['--chain', ['--chain', 'bsc']],
  ['--every', ['--every', '0']],
  ['--webhook', ['--webhook', 'example.org']],
  ['--headers', ['--headers', 'ftp://s']],
])('a malformed %s is named', (name, args) => {
  expect(() => readSettings([...NEEDED, ...args], {})).toThrow(`${name} is malformed`)
})

test('a key is never a flag, and never in a message', () => {
  expect(() => readSettings([...NEEDED, '--private-key', KEY], {})).toThrow(/Unknown option '--private-key'/)
  expect(() => readSettings(NEEDED, { WATCH_PRIVATE_KEY: '0x99' })).toThrow(/^WATCH_PRIVATE_KEY must be 0x and 64 hex/)
  expect(() => readSettings(NEEDED.slice(0, -2), {})).toThrow('--headers is missing')
})
