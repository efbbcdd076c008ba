import type { AssetId } from '@clearwell/money/asset'
import { testTokenAbi } from '@clearwell/vault/abi/test-token'
import {
  createTestClient,
  createWalletClient,
  defineChain,
  http,
  type PrivateKeyAccount,
  parseEther,
  parseUnits,
  publicActions,
  walletActions,
} from 'viem'
import type { Custody } from '../../platform/chain/chain.ts'
import { vaultDeposit } from '../../platform/chain/vault-deposit.ts'

/** Enough to follow both prices from a quarter to four times what the pools of the local profile open at. */
const FUNDS: Readonly<Record<AssetId, string>> = { BNB: '10000', USDT: '15000000', ETH: '2000', RT: '0' }
/** For the fees of its payments. */
const GAS = parseEther('1')
/** More than any of them takes: asking what each takes would need the one before to be mined. */
const GAS_LIMIT = 500_000n

/**
 * Gives an account of the local chain play money and has it pay that into the vault, with payments that it signs like
 * anyone's.
 */
export async function fundArbitrageur(
  chain: {
    readonly rpcUrl: string
    readonly chainId: number
    readonly confirmations: number
    readonly custody: Custody
  },
  account: PrivateKeyAccount,
): Promise<void> {
  const { rpcUrl, custody } = chain
  const definition = defineChain({
    id: chain.chainId,
    name: 'local',
    nativeCurrency: { name: 'BNB', symbol: 'BNB', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  })
  const test = createTestClient({ chain: definition, mode: 'anvil', transport: http(rpcUrl), pollingInterval: 10 })
    .extend(publicActions)
    .extend(walletActions)
  const wallet = createWalletClient({ account, chain: definition, transport: http(rpcUrl) })
  const owner = custody.operator as `0x${string}`

  /** One after the other, which is the order of their nonces, and none waits for the receipt of the one before. */
  const mined = async (sendings: readonly (() => Promise<`0x${string}`>)[]) => {
    const hashes: `0x${string}`[] = []
    for (const send of sendings) hashes.push(await send())
    for (const hash of hashes) {
      const { status } = await test.waitForTransactionReceipt({ hash, checkReplacement: false })
      if (status !== 'success') throw new Error(`transaction ${hash} of the arbitrageur failed`)
    }
  }

  await test.setBalance({ address: account.address, value: parseEther(FUNDS.BNB) + GAS })
  await test.impersonateAccount({ address: owner })
  await mined(
    custody.tokens.map(({ asset, address, decimals }) => () => {
      const args = [account.address, parseUnits(FUNDS[asset], decimals)] as const
      return test.writeContract({ account: owner, address, abi: testTokenAbi, functionName: 'mint', args })
    }),
  )
  await test.stopImpersonatingAccount({ address: owner })

  const first = await test.getTransactionCount({ address: account.address })
  const payments = custody.tokens.flatMap(({ asset, address, decimals }) => {
    const units = parseUnits(FUNDS[asset], decimals)
    const approval = { address, abi: testTokenAbi, functionName: 'approve', args: [custody.vault, units] } as const
    const deposit = vaultDeposit({ vault: custody.vault, token: address, units, orderId: null })
    return [
      (nonce: number) => wallet.writeContract({ ...approval, nonce, gas: GAS_LIMIT }),
      (nonce: number) => wallet.sendTransaction({ ...deposit, nonce, gas: GAS_LIMIT }),
    ]
  })
  const native = vaultDeposit({ vault: custody.vault, token: null, units: parseEther(FUNDS.BNB), orderId: null })
  payments.push((nonce) => wallet.sendTransaction({ ...native, nonce, gas: GAS_LIMIT }))
  await mined(payments.map((pay, index) => () => pay(first + index)))
  if (chain.confirmations > 1) await test.mine({ blocks: chain.confirmations - 1 })
}
