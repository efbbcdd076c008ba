import type { Hex } from '@clearwell/proofs/bytes'
import { emptyHeader } from '@clearwell/proofs/empty-header'
import { encodeHeader, hashHeader } from '@clearwell/proofs/header'
import { exitVaultAbi, exitVaultBytecode } from '@clearwell/vault/abi/exit-vault'
import { settlementAbi, settlementBytecode } from '@clearwell/vault/abi/settlement'
import { type Abi, getContractAddress, type PublicClient, zeroAddress } from 'viem'
import type { PlatformConfig } from '../../config/platform-config.ts'
import { localBookkeeperAccount, rootAccount } from '../signer/proof-keys.ts'
import { type DeployedContract, deployContract, type LimitedAsset } from './local-contract.ts'
import type { LocalWallets } from './local-wallets.ts'

/** The number of the root of the empty books. Every header of the ledger has a higher one: it is the number of a later batch. */
const FIRST_NUMBER = 1n

/**
 * Deploys the vault with exits with its settlement contract on a local chain, and posts the root of the empty books: the vault takes no
 * deposit before its first root, and the ledger makes headers only once the server listens.
 */
export async function deployExitVault(
  config: PlatformConfig,
  client: PublicClient,
  wallets: LocalWallets,
  assets: readonly LimitedAsset[],
): Promise<DeployedContract> {
  const { operator, addressOf } = wallets
  const owner = operator.account.address
  const nonce = await client.getTransactionCount({ address: owner, blockTag: 'pending' })
  const next = getContractAddress({ from: owner, nonce: BigInt(nonce + 1) })
  const settlement = await deployContract(wallets, settlementAbi as Abi, settlementBytecode, [next])
  const bookkeepers = [localBookkeeperAccount(), ...config.env.bookkeepers].map(({ address }) => address.toLowerCase())
  const setup = {
    ...{ owner, guardian: addressOf('guardian'), payout: owner, predecessor: zeroAddress },
    ...{ settlement: settlement.address, signers: [addressOf('signer')], rootKeys: [rootAccount(config).address] },
    bookkeepers: [...new Set(bookkeepers)],
    assets,
  }
  const vault = await deployContract(wallets, exitVaultAbi as Abi, exitVaultBytecode, [setup])
  await postEmptyBooks(config, client, wallets, { vault, tokens: assets.map(({ token }) => token) })
  return vault
}

async function postEmptyBooks(
  config: PlatformConfig,
  client: PublicClient,
  { operator, confirm }: LocalWallets,
  { vault, tokens }: { readonly vault: DeployedContract; readonly tokens: readonly Hex[] },
): Promise<void> {
  const block = await client.getBlock({ blockNumber: vault.block })
  const cursor = { number: block.number, hash: block.hash, time: Number(block.timestamp) }
  const header = emptyHeader({ number: FIRST_NUMBER, cursor, tokens })
  const hash = hashHeader(header, { chainId: config.chain.id, vault: vault.address })
  const [root, book] = [await rootAccount(config).sign({ hash }), await localBookkeeperAccount().sign({ hash })]
  const args = [encodeHeader(header), root, book] as const
  const call = { address: vault.address, abi: exitVaultAbi, functionName: 'postRoot', args } as const
  await confirm(operator.writeContract(call))
}
