import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DEFAULT_DATA_DIR, VAULT_KINDS, type VaultKind } from './environment.ts'
import type { Variables } from './variables.ts'

/** The file of a local data folder that says which vault its chain has. */
export function vaultKindFile(dataDir: string): string {
  return join(dataDir, 'vault-kind')
}

/** Returns the kind of the vault of a local data folder, or `undefined` where nothing says it. */
export async function readVaultKind(dataDir: string): Promise<VaultKind | undefined> {
  const path = vaultKindFile(dataDir)
  const text = existsSync(path) ? (await readFile(path, 'utf8')).trim() : undefined
  return VAULT_KINDS.find((kind) => kind === text)
}

/**
 * Adds `VAULT_KIND` as the data folder of the local profile says it, so that the operator's commands know the vault that `npm start` deployed.
 * A variable that is set wins.
 */
export async function withLocalVault(variables: Variables): Promise<Variables> {
  if (variables.VAULT_KIND || (variables.PROFILE ?? 'local') !== 'local') return variables
  const kind = await readVaultKind(variables.DATA_DIR || DEFAULT_DATA_DIR)
  return kind === undefined ? variables : { ...variables, VAULT_KIND: kind }
}
