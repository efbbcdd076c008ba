import { clearwellVaultAbi } from '@clearwell/vault/abi/clearwell-vault'
import { exitVaultAbi } from '@clearwell/vault/abi/exit-vault'
import type { PublicClient } from 'viem'
import { ConfigError } from '../../config/config-error.ts'
import type { VaultKind } from '../../config/environment.ts'
import type { Custody } from './chain.ts'
import { isNodeAway, nodeErrorOf } from './node-error.ts'

/** The vault with exits compares its own counters with the ledger's, so both count in the same units. */
const DECIMALS_WITH_EXITS = 18

/**
 * Refuses a vault of another kind than `VAULT_KIND` says: its signer, its pause and its vouchers are read and written in another way.
 * A contract that is neither is refused only where the vault with exits is expected; nothing is signed for it anyway.
 *
 * @throws ConfigError with one sentence. The error of a node that does not answer.
 */
export async function refuseOtherKind(
  client: Pick<PublicClient, 'readContract'>,
  { vault, kind = 'plain' }: Pick<Custody, 'vault' | 'kind'>,
): Promise<void> {
  const found = await readKind(client, vault)
  if (found === kind || (kind === 'plain' && found === undefined)) return
  const what = { plain: 'a vault without exits', exits: 'a vault with exits', none: 'no vault of Clearwell' }
  throw new ConfigError(
    `VAULT_KIND is ${kind}, but the contract at chain.vault (${vault}) is ${what[found ?? 'none']}.`,
  )
}

/**
 * Refuses tokens that do not fit a vault with exits: each needs 18 decimals, and none may be missing. Headers list every asset, and the
 * vault takes no header with another list than its own.
 *
 * @throws ConfigError with one sentence.
 */
export function refuseUnfitTokens({ kind, tokens }: Pick<Custody, 'kind' | 'tokens'>): void {
  if (kind !== 'exits') return
  for (const asset of ['USDT', 'ETH'] as const) {
    const token = tokens.find((each) => each.asset === asset)
    if (!token)
      throw new ConfigError(
        `chain.tokens.${asset}.address must be set with VAULT_KIND=exits, because headers list every asset, and the vault takes no header with another list.`,
      )
    if (token.decimals !== DECIMALS_WITH_EXITS)
      throw new ConfigError(
        `chain.tokens.${asset}.decimals is ${token.decimals}: with VAULT_KIND=exits every token needs ${DECIMALS_WITH_EXITS}, because headers and the vault count in the same units.`,
      )
  }
}

/** Reads the kind of a vault from its contract; `undefined` for a contract of neither kind. @throws the error of a node that does not answer. */
export async function readKind(
  client: Pick<PublicClient, 'readContract'>,
  address: `0x${string}`,
): Promise<VaultKind | undefined> {
  if (await answers(() => client.readContract({ address, abi: exitVaultAbi, functionName: 'keys' }))) return 'exits'
  if (await answers(() => client.readContract({ address, abi: clearwellVaultAbi, functionName: 'signer' })))
    return 'plain'
  return undefined
}

/** @throws the error of a node that does not answer. */
async function answers(read: () => Promise<unknown>): Promise<boolean> {
  try {
    await read()
    return true
  } catch (error) {
    const nodeError = nodeErrorOf(error)
    if (nodeError && isNodeAway(nodeError)) throw error
    return false
  }
}
