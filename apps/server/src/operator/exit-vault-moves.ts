import { exitVaultAbi } from '@clearwell/vault/abi/exit-vault'
import { vaultKeysAbi } from '@clearwell/vault/abi/vault-keys'
import { rootVoucherDomain, rootVoucherTypes, type WithdrawalVoucher } from '@clearwell/vault/abi/withdrawal-typed-data'
import { encodeFunctionData, type Hex, type LocalAccount } from 'viem'
import type { VaultKind } from '../config/environment.ts'
import type { Config } from '../load-config.ts'
import { createKeysFinder } from '../platform/chain/vault-reads.ts'
import { signerAccount } from '../platform/signer/open-signer.ts'
import { exitRoleFaults } from './check-exit-vault.ts'
import type { OpenedChain } from './open-books.ts'

/** The number of the role in the contract of the keys. */
const SIGNER = 1
/** A payment to the announced successor needs no root. */
const NO_ROOT = 0n

interface MoveDeps extends OpenedChain {
  readonly config: Config
}

/**
 * Finds the reason why a ledger cannot move to the configured vault with exits, or away from its own, if there is one. Without an
 * active successor the money could follow only up to ten days later.
 *
 * @param from the ledger's vault, and its kind.
 */
export async function findExitMoveFault(
  deps: MoveDeps,
  { vault: from, kind }: { readonly vault: Hex; readonly kind: VaultKind | undefined },
): Promise<string | undefined> {
  const { client, custody, config } = deps
  const to = custody.vault.toLowerCase()
  if (custody.kind !== 'exits')
    return kind === 'exits'
      ? 'A vault with exits is followed only by another one: its users must be able to leave.'
      : undefined
  const read = { address: custody.vault, abi: exitVaultAbi, functionName: 'predecessor' } as const
  const predecessor = (await client.readContract(read)).toLowerCase()
  if (predecessor !== from)
    return `The vault ${to} was deployed with the predecessor ${predecessor}, and not with ${from}: it would reject its money. Deploy a new one with --predecessor ${from}.`
  const [fault] = await exitRoleFaults(client, custody, config)
  if (fault) return `No root of the vault ${to} could be posted: ${fault}.`
  return kind === 'exits' ? findSuccessorFault(deps, from) : undefined
}

async function findSuccessorFault({ client, custody }: MoveDeps, from: Hex): Promise<string | undefined> {
  const keys = { address: await createKeysFinder(client, { vault: from })(), abi: vaultKeysAbi } as const
  const args = [custody.vault] as const
  if (await client.readContract({ ...keys, functionName: 'isActiveSuccessor', args })) return undefined
  return `The vault ${from} does not pay to ${custody.vault.toLowerCase()} yet: its owner calls announceSuccessor, and it counts ten days later.`
}

/** Finds the reason why a vault with exits would reject the vouchers that move its money, if there is one. */
export async function findExitTransferFault(deps: MoveDeps, vault: Hex): Promise<string | undefined> {
  const { client, config } = deps
  const keys = { address: await createKeysFinder(client, { vault })(), abi: vaultKeysAbi } as const
  if ((await client.readContract({ ...keys, functionName: 'pausedAt' })) !== 0)
    return `The replaced vault ${vault} is paused, so it pays nothing: its owner must end the pause.`
  const { address } = signerAccount(config)
  if (!(await client.readContract({ ...keys, functionName: 'isActiveKey', args: [SIGNER, address] })))
    return `The replaced vault ${vault} does not accept vouchers of ${address}: run the command with a SIGNER_KEY that it accepts.`
  return findSuccessorFault(deps, vault)
}

/** Signs a payment of a vault with exits to its successor. Limits and locks do not apply to it. */
export async function signExitTransfer(
  account: LocalAccount,
  of: { readonly chainId: number; readonly vault: Hex },
  voucher: WithdrawalVoucher,
): Promise<Hex> {
  const message = { ...voucher, root: NO_ROOT }
  const typed = { domain: rootVoucherDomain(of), types: rootVoucherTypes, primaryType: 'Withdrawal', message } as const
  const args = [message, await account.signTypedData(typed)] as const
  return encodeFunctionData({ abi: exitVaultAbi, functionName: 'withdraw', args })
}
