import { encodeHeader, type Header } from '@clearwell/proofs/header'
import { clearwellVaultAbi, clearwellVaultBytecode } from '@clearwell/vault/abi/clearwell-vault'
import { exitVaultAbi, exitVaultBytecode } from '@clearwell/vault/abi/exit-vault'
import { settlementAbi, settlementBytecode } from '@clearwell/vault/abi/settlement'
import { vaultKeysAbi } from '@clearwell/vault/abi/vault-keys'
import { type Abi, encodeFunctionData, getContractAddress, type Hex, parseEther, zeroAddress } from 'viem'
import { type LocalAccount, mnemonicToAccount } from 'viem/accounts'
import { expect, vi } from 'vitest'
import { findNewestRoot } from '../../domain/proofs/signed-roots.ts'
import { localBookkeeperAccount, rootAccount } from '../../platform/signer/proof-keys.ts'
import type { SignedRoot } from '../../platform/signer/voucher-root.ts'
import { withLedger } from '../open-books.ts'
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
  await configure(world, vault, blockNumber)
  return vault
}

/** Makes a vault the configured one, also while the server is stopped. */
export async function configureVault(world: OperatorWorld, vault: string, block: string): Promise<void> {
  for (const [name, value] of Object.entries(world.variables())) vi.stubEnv(name, value)
  await withLedger((_config, db) =>
    db.query('update local_deployment set vault = $1, vault_block = $2', [vault, block]),
  )
}

export async function configuredVault({ server }: OperatorWorld): Promise<readonly [vault: string, block: string]> {
  const [row] = await server.db.query<{ vault: string; vault_block: bigint }>(
    'select vault, vault_block from local_deployment',
  )
  return [row?.vault ?? '', String(row?.vault_block)]
}

async function configure({ server }: OperatorWorld, vault: Hex, block: bigint): Promise<void> {
  await server.watcher.poll()
  await server.db.query('update local_deployment set vault = $1, vault_block = $2', [vault, String(block)])
}

/**
 * Deploys a vault with exits and its settlement contract as the operator does, for a ledger that is at another vault, and makes it the
 * configured one. It has no root.
 *
 * @param bookkeepers beside the local one, at most two.
 */
export async function deployExitVault(world: OperatorWorld, bookkeepers: readonly string[] = []): Promise<Hex> {
  const owner = world.control.wallet(wallet(0))
  const { config, custody } = world.server
  const create = async (abi: Abi, bytecode: Hex, args: readonly unknown[]) => {
    const deploy = { abi, bytecode, args, account: wallet(0), chain: owner.chain }
    const { contractAddress, blockNumber } = await world.control.receipt(await owner.deployContract(deploy))
    return { address: contractAddress as Hex, blockNumber }
  }
  const nonce = BigInt(await world.control.client.getTransactionCount({ address: wallet(0).address }))
  const next = getContractAddress({ from: wallet(0).address, nonce: nonce + 1n })
  const settlement = await create(settlementAbi as Abi, settlementBytecode, [next])
  const [perVoucher, perDay] = [parseEther('1000000'), parseEther('10000000')]
  const vault = await create(exitVaultAbi as Abi, exitVaultBytecode, [
    {
      ...{ owner: wallet(0).address, guardian: wallet(2).address, payout: wallet(0).address },
      ...{ settlement: settlement.address, predecessor: custody.vault, signers: [wallet(1).address] },
      ...{ rootKeys: [rootAccount(config).address], bookkeepers: [localBookkeeperAccount().address, ...bookkeepers] },
      assets: [zeroAddress, ...custody.tokens.map(({ address }) => address)].map((token) => ({
        ...{ token, perVoucher, perDay },
      })),
    },
  ])
  await configure(world, vault.address, vault.blockNumber)
  return vault.address
}

/** Has the owner of the server's vault call the contract of its keys. */
export async function callKeys(world: OperatorWorld, functionName: string, args: readonly unknown[]): Promise<void> {
  const { vault } = world.server.custody
  const keys = await world.control.client.readContract({ address: vault, abi: exitVaultAbi, functionName: 'keys' })
  const calldata = encodeFunctionData({ abi: vaultKeysAbi as Abi, functionName, args })
  await send(world, [{ to: keys, calldata }], wallet(0))
}

/** Posts the newest header with both signatures, once the ledger's last entry is in it. Anyone may. */
export async function postNewestRoot(world: OperatorWorld): Promise<Header> {
  const { db, custody } = world.server
  const [tip] = await db.query<{ seq: bigint }>('select max(seq) as seq from entries')
  // A header of changed books is due after ten seconds.
  await world.server.ok('localAdvance', { seconds: 11 })
  const isReady = async () => ((await findNewestRoot(db))?.header.ledgerSeq ?? 0n) >= (tip?.seq ?? 0n)
  await expect.poll(isReady, { timeout: 30_000 }).toBe(true)
  const { header, rootSignature, bookSignature } = (await findNewestRoot(db)) as SignedRoot
  const args = [encodeHeader(header), rootSignature, bookSignature] as const
  const calldata = encodeFunctionData({ abi: exitVaultAbi, functionName: 'postRoot', args })
  await send(world, [{ to: custody.vault, calldata }])
  return header
}

/** Sends transactions, and expects that each is executed. */
export async function send(
  world: OperatorWorld,
  calls: readonly { to: Hex; calldata: Hex; value?: bigint }[],
  account: LocalAccount = wallet(4),
): Promise<void> {
  const sender = world.control.wallet(account)
  for (const { to, calldata: data, value = 0n } of calls) {
    const hash = await sender.sendTransaction({ account, chain: sender.chain, to, data, value })
    expect(await world.control.receipt(hash)).toMatchObject({ status: 'success' })
  }
}
