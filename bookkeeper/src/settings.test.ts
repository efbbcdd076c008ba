import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readSettings } from './settings.ts'

const SECRET = `0x${'5a'.repeat(32)}`
const VALUES = {
  SERVER_URL: 'https://app.example/',
  BOOKKEEPER_TOKEN: SECRET,
  CHAIN_RPC_URL: 'https://node.example/v1/key',
  VAULT_ADDRESS: `0x${'7a'.repeat(20)}`,
  VAULT_BLOCK: '12',
  BOOKKEEPER_KEY: SECRET,
  PROOF_DATA_KEY: SECRET,
}

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clearwell-settings-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('a secret in a file is the same as its value', () => {
  const secrets = ['BOOKKEEPER_TOKEN', 'CHAIN_RPC_URL', 'BOOKKEEPER_KEY', 'PROOF_DATA_KEY'] as const
  const files = Object.fromEntries(
    secrets.map((name) => {
      const path = join(folder, name)
      writeFileSync(path, `${VALUES[name]}\n`)
      return [`${name}_FILE`, path]
    }),
  )
  const without = Object.fromEntries(
    Object.entries(VALUES).filter(([name]) => !(secrets as readonly string[]).includes(name)),
  )
  expect(readSettings({ ...without, ...files })).toEqual(readSettings(VALUES))
  expect(readSettings(VALUES)).toMatchObject({ serverUrl: 'https://app.example', startBlock: 12n, port: 3100 })
})

test.each([
  [{ CHAIN_RPC_URL: 'node.example/key-9' }, 'CHAIN_RPC_URL must be one address of http or https'],
  [{ BOOKKEEPER_KEY: 'key-9' }, 'BOOKKEEPER_KEY must be 0x and 64 hex characters'],
  [{ VAULT_ADDRESS: undefined }, 'VAULT_ADDRESS is missing'],
  [
    { REPLACED_VAULTS: `0x${'7b'.repeat(20)}, ${VALUES.VAULT_ADDRESS}` },
    'REPLACED_VAULTS must be addresses with commas between, without VAULT_ADDRESS',
  ],
])('names the variable of %o without a secret', (change, message) => {
  expect(() => readSettings({ ...VALUES, ...change })).toThrow(new Error(message))
})

test('the vaults that were left are a list', () => {
  const [first, second] = [`0x${'7B'.repeat(20)}`, `0x${'7c'.repeat(20)}`]
  const { replaced } = readSettings({ ...VALUES, REPLACED_VAULTS: `${first}, ${second}` })
  expect(replaced).toEqual([first.toLowerCase(), second])
})
