import { vaultKeysAbi } from '@clearwell/vault/abi/vault-keys'
import { isAddressEqual, type PublicClient } from 'viem'
import type { Config } from '../load-config.ts'
import type { Custody } from '../platform/chain/chain.ts'
import { createKeysFinder } from '../platform/chain/vault-reads.ts'
import { signerAccount } from '../platform/signer/open-signer.ts'
import { rootAccount } from '../platform/signer/proof-keys.ts'

/** The numbers of the roles in the contract. */
const ROLES = { SIGNER_KEY: 1, PROOF_ROOT_KEY: 2, BOOKKEEPER_ADDRESS: 3 } as const

/** Checks that a vault with exits is not paused. */
export async function exitPauseFaults(client: PublicClient, custody: Custody): Promise<string[]> {
  const keys = { address: await createKeysFinder(client, custody)(), abi: vaultKeysAbi } as const
  const pausedAt = await client.readContract({ ...keys, functionName: 'pausedAt' })
  return pausedAt === 0 ? [] : [`the vault ${custody.vault} is paused: it takes and pays nothing`]
}

/** Checks that a vault with exits accepts this server's three keys, and that its owner and guardian are others. */
export async function exitRoleFaults(client: PublicClient, custody: Custody, config: Config): Promise<string[]> {
  const keys = { address: await createKeysFinder(client, custody)(), abi: vaultKeysAbi } as const
  const own = {
    SIGNER_KEY: signerAccount(config).address,
    PROOF_ROOT_KEY: rootAccount(config).address,
    ...(config.env.bookkeeper ? { BOOKKEEPER_ADDRESS: config.env.bookkeeper.address } : {}),
  }
  const faults: string[] = []
  for (const [name, address] of Object.entries(own) as [keyof typeof ROLES, `0x${string}`][]) {
    const isActive = await client.readContract({ ...keys, functionName: 'isActiveKey', args: [ROLES[name], address] })
    if (!isActive) faults.push(`the vault does not accept ${name}, whose address is ${address}`)
  }
  const owner = await client.readContract({ ...keys, functionName: 'owner' })
  const guardian = await client.readContract({ ...keys, functionName: 'guardian' })
  for (const [name, address] of Object.entries(own)) {
    if (isAddressEqual(address, owner)) faults.push(`${name} is also the owner of the vault`)
    if (isAddressEqual(address, guardian)) faults.push(`${name} is also the guardian of the vault`)
  }
  if (config.env.profile === 'production' && !(await client.getCode({ address: owner })))
    faults.push(`the owner ${owner} is a single key and no multisig: its thief can move everything after ten days`)
  return faults
}
