import { clearwellVaultAbi, clearwellVaultBytecode } from '@clearwell/vault/abi/clearwell-vault'
import { type Hex, parseEther, zeroAddress } from 'viem'
import { type LocalAccount, mnemonicToAccount } from 'viem/accounts'
import { expect } from 'vitest'
import type { OperatorWorld } from './operator-world.ts'

const wallet = (addressIndex: number) =>
  mnemonicToAccount('test test test test test test test test test test test junk', { addressIndex })

/** Deploys a vault as the operator does, and makes it the configured one. */
export async function deployVault(world: OperatorWorld): Promise<Hex> {
  const owner = world.control.wallet(wallet(0))
  const args = [wallet(0).address, wallet(1).address, wallet(2).address] as const
  const deploy = {
    abi: clearwellVaultAbi,
    bytecode: clearwellVaultBytecode,
    args,
    account: wallet(0),
    chain: owner.chain,
  }
  const { contractAddress, blockNumber } = await world.control.receipt(await owner.deployContract(deploy))
  const vault = contractAddress as Hex
  for (const asset of [zeroAddress, ...world.server.custody.tokens.map(({ address }) => address)]) {
    const limits = [asset, parseEther('1000000'), parseEther('10000000')] as const
    const call = { address: vault, abi: clearwellVaultAbi, functionName: 'setLimits', args: limits } as const
    await world.control.receipt(await owner.writeContract({ ...call, account: wallet(0), chain: owner.chain }))
  }
  await world.server.watcher.poll()
  await world.server.db.query('update local_deployment set vault = $1, vault_block = $2', [vault, String(blockNumber)])
  return vault
}

/** Sends transactions, and expects that each is executed. */
export async function send(
  world: OperatorWorld,
  calls: readonly { to: Hex; calldata: Hex }[],
  account: LocalAccount = wallet(4),
): Promise<void> {
  const sender = world.control.wallet(account)
  for (const { to, calldata: data } of calls) {
    const hash = await sender.sendTransaction({ account, chain: sender.chain, to, data })
    expect(await world.control.receipt(hash)).toMatchObject({ status: 'success' })
  }
}
