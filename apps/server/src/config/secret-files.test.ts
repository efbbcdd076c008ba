import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readEnvironment } from './environment.ts'
import { SECRET_VARIABLES } from './secret-files.ts'
import { VARIABLES } from './variables.ts'

const KEY = `0x${'5'.repeat(64)}`

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clearwell-secrets-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function file(content: string): Promise<string> {
  const path = join(folder, 'secret')
  await writeFile(path, content)
  return path
}

test.each([KEY, `${KEY}\n`, `${KEY}\r\n`])('a secret is read from the file %j', async (content) => {
  expect(readEnvironment({ SIGNER_KEY_FILE: await file(content) }).signerKey).toBe(KEY)
})

test('every variable that is called a secret may be in a file', () => {
  const secrets = Object.entries(VARIABLES).filter(([, { about }]) => about.startsWith('a secret'))
  expect(secrets.map(([name]) => name)).toEqual(SECRET_VARIABLES)
})

test('a secret and its file are not accepted together', async () => {
  const both = { DATABASE_URL: 'postgres://a', DATABASE_URL_FILE: await file('postgres://b') }
  expect(() => readEnvironment(both)).toThrow('DATABASE_URL and DATABASE_URL_FILE must not both be set.')
  expect(readEnvironment({ ...both, DATABASE_URL: '' }).databaseUrl).toBe('postgres://b')
})

test('a missing secret file is reported by its path', () => {
  const path = join(folder, 'missing')
  expect(() => readEnvironment({ BOX_SEED_KEY_FILE: path })).toThrow(
    `BOX_SEED_KEY_FILE is "${path}", which cannot be read.`,
  )
})

test('a wrong secret in a file is reported without its content', async () => {
  const path = await file(`${KEY}\n\n`)
  expect(() => readEnvironment({ SERVER_KEY_FILE: path })).toThrow(
    'SERVER_KEY is not a valid key: it must be 0x and 64 hex characters.',
  )
})
