import { ASSET_DECIMALS } from '@clearwell/money/asset'
import { mulDiv } from '@clearwell/money/mul-div'
import { testTokenAbi } from '@clearwell/vault/abi/test-token'
import { type Hex, type PublicClient, parseEther, parseUnits } from 'viem'
import type { PlatformConfig } from '../../config/platform-config.ts'
import type { Custody } from './chain.ts'
import type { DeploymentStore } from './local-deployment.store.ts'
import { findOrDeploy } from './local-deployment.ts'
import { type LocalWallets, openLocalWallets } from './local-wallets.ts'
import { vaultDeposit } from './vault-deposit.ts'

/** The amounts that the faucet gives per request. */
const FAUCET = { BNB: '10', USDT: '10000', ETH: '5' } as const

/** The operator's deposit, in base units. */
export type Liquidity = Readonly<Record<'BNB' | 'USDT' | 'ETH', bigint>>

/** Controls of the local chain that exist only in the local profile. */
export interface LocalChain {
  readonly custody: Custody
  /** Pays these amounts into the vault from the operator's wallet. */
  depositLiquidity(needed: Liquidity): Promise<void>
  /** Gives test money to an address. Returns the hash of each payment. */
  faucet(address: Hex): Promise<Gift[]>
  /** Moves the chain's clock to `time` if it is behind, and makes a block there. */
  moveTo(time: Date): Promise<void>
  /** Makes the blocks that confirm the last one. */
  confirm(): Promise<void>
  /**
   * Makes a block at a time, or a second after the last block where that is later, if the chain's next block would be before it: after its
   * start the chain estimates by the system's time.
   */
  resumeAt(at: Date): Promise<void>
}

interface Gift {
  readonly asset: 'BNB' | 'USDT' | 'ETH'
  readonly amount: string
  readonly txHash: string
}

/**
 * Opens the local chain's custody: finds the vault and the test tokens, or deploys them once.
 *
 * @param isNewLedger true if the ledger is empty.
 * @throws ConfigError for a ledger with entries and a chain without its vault: they do not belong together.
 */
export async function openLocalChain(
  config: PlatformConfig,
  client: PublicClient,
  rpcUrl: string,
  options: { deployments: DeploymentStore; isNewLedger: boolean },
): Promise<LocalChain> {
  const wallets = openLocalWallets(config, client, rpcUrl)
  const { vault, vaultBlock, USDT, ETH } = await findOrDeploy(config, client, wallets, options)
  const tokens = [
    { asset: 'USDT', address: USDT, decimals: config.chain.tokens.USDT.decimals },
    { asset: 'ETH', address: ETH, decimals: config.chain.tokens.ETH.decimals },
  ] as const
  const custody: LocalCustody = {
    vault,
    kind: config.env.vaultKind,
    vaultBlock: BigInt(vaultBlock),
    operator: wallets.operator.account.address.toLowerCase(),
    tokens,
  }
  // The faucet's account sends one transaction at a time, so that two callers never share a nonce.
  let lastGift: Promise<unknown> = Promise.resolve()
  return {
    custody,
    depositLiquidity: (needed) => depositLiquidity(needed, custody, wallets, config.chain.confirmations),
    faucet(address) {
      const gift = lastGift.then(() => giveTo(address, custody, wallets))
      lastGift = gift.catch(() => {})
      return gift
    },
    async moveTo(time) {
      const { test } = wallets
      const { timestamp } = await test.getBlock()
      const seconds = Math.floor(time.getTime() / 1000) - Number(timestamp)
      if (seconds > 0) await makeBlockAt(wallets, timestamp + BigInt(seconds))
    },
    confirm: () => confirmLast(wallets, config.chain.confirmations),
    async resumeAt(at) {
      const { timestamp: last } = await wallets.test.getBlock()
      const { timestamp: next } = await wallets.test.getBlock({ blockTag: 'pending' })
      const time = BigInt(Math.floor(at.getTime() / 1000))
      const wanted = time > last ? time : last + 1n
      // Where the clock was not moved, the system's time is right.
      if (wanted > next) await makeBlockAt(wallets, wanted)
    },
  }
}

async function makeBlockAt({ test }: LocalWallets, timestamp: bigint): Promise<void> {
  await test.setNextBlockTimestamp({ timestamp })
  await test.mine({ blocks: 1 })
}

interface LocalCustody extends Custody {
  readonly tokens: readonly { readonly asset: 'USDT' | 'ETH'; readonly address: Hex; readonly decimals: number }[]
}

async function depositLiquidity(
  needed: Liquidity,
  { vault, tokens }: LocalCustody,
  { operator, test, confirm }: LocalWallets,
  confirmations: number,
): Promise<void> {
  for (const { asset, address: token, decimals } of tokens) {
    if (needed[asset] === 0n) continue
    // Rounded up: the deposit covers the need exactly, or exceeds it by a fraction of the token's unit.
    const units = mulDiv(needed[asset], 1n, 10n ** BigInt(ASSET_DECIMALS[asset] - decimals), 'up')
    const approval = { address: token, abi: testTokenAbi, functionName: 'approve', args: [vault, units] } as const
    await confirm(operator.writeContract(approval))
    await confirm(operator.sendTransaction(vaultDeposit({ vault, token, units, orderId: null })))
  }
  if (needed.BNB > 0n) {
    await confirm(operator.sendTransaction(vaultDeposit({ vault, token: null, units: needed.BNB, orderId: null })))
  }
  await confirmLast({ test }, confirmations)
}

/** This chain mines a block only for a transaction. */
async function confirmLast({ test }: Pick<LocalWallets, 'test'>, confirmations: number): Promise<void> {
  if (confirmations > 1) await test.mine({ blocks: confirmations - 1 })
}

async function giveTo(address: Hex, { tokens }: LocalCustody, { faucet, confirm }: LocalWallets): Promise<Gift[]> {
  const bnb = faucet.sendTransaction({ to: address, value: parseEther(FAUCET.BNB) })
  const gifts: Gift[] = [{ asset: 'BNB', amount: FAUCET.BNB, txHash: await confirm(bnb) }]
  for (const { asset, address: token, decimals } of tokens) {
    const args = [address, parseUnits(FAUCET[asset], decimals)] as const
    const transfer = { address: token, abi: testTokenAbi, functionName: 'transfer', args } as const
    gifts.push({ asset, amount: FAUCET[asset], txHash: await confirm(faucet.writeContract(transfer)) })
  }
  return gifts
}
