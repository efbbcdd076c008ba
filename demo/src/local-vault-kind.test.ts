import { mkdtempSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withLocalVault } from '@clearwell/server/src/config/local-vault-kind.ts'
import { afterAll, expect, test } from 'vitest'
import { chooseVaultKind } from './local-vault-kind.ts'

const root = mkdtempSync(join(tmpdir(), 'clearwell-vault-kind-'))
afterAll(() => rm(root, { recursive: true }))

test('a new folder gets the vault with exits, and keeps it', async () => {
  const folder = join(root, 'new')
  expect(await chooseVaultKind(folder, { isSimulated: false })).toBe('exits')
  expect(await chooseVaultKind(folder, { isSimulated: false })).toBe('exits')
})

test('a folder of an earlier version keeps its plain vault', async () => {
  const folder = join(root, 'old')
  await mkdir(join(folder, 'chain'), { recursive: true })
  expect(await chooseVaultKind(folder, { isSimulated: false })).toBe('plain')
  expect(await chooseVaultKind(folder, { isSimulated: false })).toBe('plain')
})

test('the operator’s commands know the vault of the folder', async () => {
  const folder = join(root, 'commands')
  await chooseVaultKind(folder, { isSimulated: false })
  const kindOf = async (more: object) => (await withLocalVault({ DATA_DIR: folder, ...more })).VAULT_KIND
  expect(await kindOf({})).toBe('exits')
  expect(await kindOf({ VAULT_KIND: 'plain' })).toBe('plain')
  expect(await kindOf({ PROFILE: 'production' })).toBeUndefined()
})

test('an explicit kind wins, and a new folder remembers it', async () => {
  const [fresh, old] = [join(root, 'asked'), join(root, 'asked-old')]
  expect(await chooseVaultKind(fresh, { asked: 'plain', isSimulated: false })).toBe('plain')
  expect(await chooseVaultKind(fresh, { isSimulated: false })).toBe('plain')
  await mkdir(join(old, 'chain'), { recursive: true })
  // The start refuses it, and the folder keeps its vault.
  expect(await chooseVaultKind(old, { asked: 'exits', isSimulated: false })).toBe('exits')
  expect(await chooseVaultKind(old, { isSimulated: false })).toBe('plain')
})

test('simulated days get a plain vault', async () => {
  expect(await chooseVaultKind(join(root, 'simulated'), { isSimulated: true })).toBe('plain')
})

test('an empty folder is a new one', async () => {
  const folder = join(root, 'empty')
  await mkdir(folder)
  expect(await chooseVaultKind(folder, { isSimulated: false })).toBe('exits')
})
