import { existsSync, readdirSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import type { VaultKind } from '@clearwell/server/src/config/environment.ts'
import { readVaultKind, vaultKindFile } from '@clearwell/server/src/config/local-vault-kind.ts'

/** The account that posts headers for a local server: of the published mnemonic of local test chains, which give it gas. */
export const LOCAL_POSTER_KEY = '0x4bbbf85ce3377467afe5d46f804f221813b2bb87f24d81f60f1fcdbf7cbf4356'

/**
 * Chooses the vault of a local server that has a bookkeeper: the one with exits, from which users leave without the operator. A
 * folder of an earlier version has a plain vault, and keeps it. Simulated days get one too: the vault with exits takes deposits under
 * a young root alone, and no bookkeeper signs one while they are written.
 *
 * @param asked wins, and a new folder remembers it.
 */
export async function chooseVaultKind(
  dataDir: string,
  { asked, isSimulated }: { readonly asked?: VaultKind | undefined; readonly isSimulated: boolean },
): Promise<VaultKind> {
  const known = await readVaultKind(dataDir)
  if (known) return asked ?? known
  const isUsed = existsSync(dataDir) && readdirSync(dataDir).length > 0
  if (asked && isUsed) return asked
  const kind = asked ?? (isUsed || isSimulated ? 'plain' : 'exits')
  await mkdir(dataDir, { recursive: true })
  await writeFile(vaultKindFile(dataDir), `${kind}\n`)
  return kind
}
