import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zeroAddress } from 'viem'
import { expect, onTestFinished, test } from 'vitest'
import { readCanarySettings } from './canary-settings.ts'

const KEY = `0x${'ca'.repeat(32)}`
const TOKEN = `0x${'Ab'.repeat(20)}`
const ALL = {
  ...{ CANARY_NODE: 'https://a.example https://b.example', CANARY_VAULT: `0x${'C1'.repeat(20)}`, CANARY_CHAIN: '56' },
  ...{ CANARY_BOOKKEEPER: 'https://books.example/', CANARY_DEPOSIT: `BNB=0.01 ${TOKEN}=5`, CANARY_PRIVATE_KEY: KEY },
}

test('the environment alone sets everything', () => {
  const settings = readCanarySettings([], ALL)
  expect(settings).toMatchObject({
    ...{ nodes: ['https://a.example', 'https://b.example'], vaults: [`0x${'c1'.repeat(20)}`], chainId: 56 },
    ...{ bookkeepers: ['https://books.example'], everyMs: 60_000, confirmations: 15n, mostFee: 5_000_000_000n },
  })
  expect([...(settings?.deposits ?? [])]).toEqual([
    [zeroAddress, 10_000_000_000_000_000n],
    [TOKEN.toLowerCase(), 5_000_000_000_000_000_000n],
  ])
})

test('key and node can be in files', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'clearwell-canary-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const [key, node] = [join(folder, 'key'), join(folder, 'node')]
  await writeFile(key, `0x${'cb'.repeat(32)}\n`)
  await writeFile(node, 'https://own.example/secret\n')
  const settings = readCanarySettings([], { ...ALL, CANARY_PRIVATE_KEY_FILE: key, CANARY_NODE_FILE: node })
  expect(settings).toMatchObject({ key: `0x${'cb'.repeat(32)}`, nodes: ['https://own.example/secret'] })
})

test.each([
  [{ CANARY_DEPOSIT: 'BNB=0' }, '--deposit is malformed'],
  [{ CANARY_DEPOSIT: 'USDT=5' }, '--deposit is malformed'],
  [{ CANARY_BOOKKEEPER: '' }, '--bookkeeper is missing'],
  [{ CANARY_PRIVATE_KEY: 'secret' }, 'CANARY_PRIVATE_KEY must be 0x and 64 hex characters'],
])('it names the fault of a setting and no key (%#)', (change, fault) => {
  expect(() => readCanarySettings([], { ...ALL, ...change })).toThrow(fault)
})
