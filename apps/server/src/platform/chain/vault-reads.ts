import type { AssetId } from '@clearwell/money/asset'
import { clearwellVaultAbi } from '@clearwell/vault/abi/clearwell-vault'
import { exitVaultAbi } from '@clearwell/vault/abi/exit-vault'
import { vaultKeysAbi } from '@clearwell/vault/abi/vault-keys'
import { erc20Abi, type PublicClient, zeroAddress } from 'viem'
import type { Chain, Custody } from './chain.ts'
import type { VaultLogs } from './vault-logs.ts'

/** The number of the role in the contract of the keys. */
const SIGNER_ROLE = 1

export interface VaultReadOptions {
  /** The account that signs here. A vault with exits has several signers, and is asked about this one. */
  readonly signer?: `0x${string}` | undefined
}

/** Reads the vault's holdings and switches by calling its contract and the tokens' contracts. */
export function createVaultReads(
  client: PublicClient,
  custody: Custody,
  { toLedger }: Pick<VaultLogs, 'toLedger'>,
  { signer }: VaultReadOptions,
): Pick<Chain, 'vaultHolding' | 'isNonceUsed' | 'vaultState'> {
  // Both kinds of vault have this function.
  const vault = { address: custody.vault, abi: clearwellVaultAbi }
  return {
    async vaultHolding(asset: AssetId, at: bigint) {
      if (asset === 'BNB') {
        const held = await client.getBalance({ address: custody.vault, blockNumber: at })
        return toLedger(held, zeroAddress)
      }
      const token = custody.tokens.find((each) => each.asset === asset)
      if (!token) return 0n
      const held = await client.readContract({
        address: token.address,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [custody.vault],
        blockNumber: at,
      })
      return toLedger(held, token.address.toLowerCase())
    },
    async isNonceUsed(nonce, at) {
      const vaults = [custody.vault, ...(custody.replacedVaults ?? [])]
      const used = await Promise.all(
        vaults.map((address) =>
          client.readContract({ ...vault, address, functionName: 'isNonceUsed', args: [nonce], blockNumber: at }),
        ),
      )
      return used.includes(true)
    },
    vaultState: custody.kind === 'exits' ? readExitState(client, custody, signer) : readPlainState(client, custody),
  }
}

function readPlainState(client: PublicClient, { vault: address }: Custody): Chain['vaultState'] {
  const vault = { address, abi: clearwellVaultAbi }
  return async () => {
    const [isPaused, signer] = await Promise.all([
      client.readContract({ ...vault, functionName: 'paused' }),
      client.readContract({ ...vault, functionName: 'signer' }),
    ])
    return { isPaused, signer: signer.toLowerCase() }
  }
}

/** Names this server's own signer where the vault accepts it, and the zero address where it does not. */
function readExitState(
  client: PublicClient,
  custody: Custody,
  signer: `0x${string}` = zeroAddress,
): Chain['vaultState'] {
  const findKeys = createKeysFinder(client, custody)
  return async () => {
    const keys = { address: await findKeys(), abi: vaultKeysAbi }
    const [pausedAt, isAccepted] = await Promise.all([
      client.readContract({ ...keys, functionName: 'pausedAt' }),
      client.readContract({ ...keys, functionName: 'isActiveKey', args: [SIGNER_ROLE, signer] }),
    ])
    return { isPaused: pausedAt !== 0, signer: isAccepted ? signer.toLowerCase() : zeroAddress }
  }
}

/** Finds the contract of a vault's keys. It never changes, so it is read once. */
export function createKeysFinder(
  client: Pick<PublicClient, 'readContract'>,
  { vault }: Pick<Custody, 'vault'>,
): () => Promise<`0x${string}`> {
  let known: `0x${string}` | undefined
  return async () => {
    known ??= await client.readContract({ address: vault, abi: exitVaultAbi, functionName: 'keys' })
    return known
  }
}
