import { vaultKeysAbi } from '@clearwell/vault/abi/vault-keys'
import { formatEther, isAddressEqual, type PublicClient } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Config } from '../load-config.ts'
import type { Custody } from '../platform/chain/chain.ts'
import { readNewestRoot } from '../platform/chain/exit-vault.ts'
import { createKeysFinder } from '../platform/chain/vault-reads.ts'
import { signerAccount } from '../platform/signer/open-signer.ts'
import { rootAccount } from '../platform/signer/proof-keys.ts'

/** The numbers of the roles in the contract. */
const [SIGNER, ROOT_KEY, BOOKKEEPER] = [1, 2, 3] as const

/** The keys that the configuration names, with their roles. */
function keysOf(config: Config): { readonly name: string; readonly role: number; readonly address: `0x${string}` }[] {
  return [
    { name: 'SIGNER_KEY', role: SIGNER, address: signerAccount(config).address },
    { name: 'PROOF_ROOT_KEY', role: ROOT_KEY, address: rootAccount(config).address },
    ...config.env.bookkeepers.map(({ address }, index) => {
      const name = index === 0 ? 'BOOKKEEPER_ADDRESS' : `BOOKKEEPER_ADDRESS_${index + 1}`
      return { name, role: BOOKKEEPER, address }
    }),
  ]
}

/** A poster with less, in wei, is said. It pays for about two weeks of roots at 0.1 gwei. */
const POSTER_WEI = 10n ** 16n

/** Says what keeps roots from the vault: before the first one it takes no deposit. */
export async function exitRootNotes(client: PublicClient, custody: Custody, { env }: Config): Promise<string[]> {
  const notes: string[] = []
  if (!(await readNewestRoot(client, custody.vault)))
    notes.push('the vault has no root yet, and takes no deposit before its first one, which the servers post')
  if (!env.posterKey) return [...notes, 'POSTER_PRIVATE_KEY is not set: only withdrawals post roots']
  const { address } = privateKeyToAccount(env.posterKey)
  const wei = await client.getBalance({ address })
  if (wei < POSTER_WEI) notes.push(`the poster ${address} has ${formatEther(wei)} of the native coin: send it 0.02`)
  return notes
}

/** Checks that a vault with exits is not paused. */
export async function exitPauseFaults(client: PublicClient, custody: Custody): Promise<string[]> {
  const keys = { address: await createKeysFinder(client, custody)(), abi: vaultKeysAbi } as const
  const pausedAt = await client.readContract({ ...keys, functionName: 'pausedAt' })
  return pausedAt === 0 ? [] : [`the vault ${custody.vault} is paused: it takes and pays nothing`]
}

/** Checks that a vault with exits accepts the keys of the configuration, and that its owner and guardian are others. */
export async function exitRoleFaults(client: PublicClient, custody: Custody, config: Config): Promise<string[]> {
  const keys = { address: await createKeysFinder(client, custody)(), abi: vaultKeysAbi } as const
  const own = keysOf(config)
  const faults: string[] = []
  for (const { name, role, address } of own) {
    const isActive = await client.readContract({ ...keys, functionName: 'isActiveKey', args: [role, address] })
    if (!isActive) faults.push(`the vault does not accept ${name}, whose address is ${address}`)
  }
  const owner = await client.readContract({ ...keys, functionName: 'owner' })
  const guardian = await client.readContract({ ...keys, functionName: 'guardian' })
  for (const { name, address } of own) {
    if (isAddressEqual(address, owner)) faults.push(`${name} is also the owner of the vault`)
    if (isAddressEqual(address, guardian)) faults.push(`${name} is also the guardian of the vault`)
  }
  if (config.env.profile === 'production' && !(await client.getCode({ address: owner })))
    faults.push(`the owner ${owner} is a single key and no multisig: its thief can move everything after ten days`)
  return faults
}
