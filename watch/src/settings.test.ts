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
    ...{ vault: VAULT.toLowerCase(), chainId: 56, headers: ['http://s/h.jsonl'], everyMs: 5_000, key: undefined },
    ...{ bookkeepers: ['http://a', 'http://b'], confirmations: 15n, mostFee: 5_000_000_000n, from: undefined },
  })
  expect(readSettings(['--help'], {})).toBeUndefined()
})

test('the environment alone is enough', () => {
  const settings = readSettings([], {
    ...{ WATCH_NODE: 'http://n', WATCH_VAULT: VAULT, WATCH_CHAIN: '97', WATCH_HEADERS: 'http://s' },
    ...{ WATCH_VAULT_BLOCK: '12', WATCH_FROM: '0', WATCH_PRIVATE_KEY: KEY },
  })
  expect(settings).toMatchObject({ vaultBlock: 12n, from: 0n, key: KEY })
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
