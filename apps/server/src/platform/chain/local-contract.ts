import type { Abi } from 'viem'
import type { LocalWallets } from './local-wallets.ts'

/** An asset with the vault's limits. */
export interface LimitedAsset {
  readonly token: `0x${string}`
  readonly perVoucher: bigint
  readonly perDay: bigint
}

export interface DeployedContract {
  readonly address: `0x${string}`
  readonly block: bigint
}

/** @throws when the contract could not be created. */
export async function deployContract(
  { operator, receiptOf }: LocalWallets,
  abi: Abi,
  bytecode: `0x${string}`,
  args: readonly unknown[],
): Promise<DeployedContract> {
  const receipt = await receiptOf(await operator.deployContract({ abi, bytecode, args }))
  if (!receipt.contractAddress) throw new Error('a contract of the local chain could not be deployed')
  return { address: receipt.contractAddress, block: receipt.blockNumber }
}
