import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ASSET_DECIMALS } from '@clearwell/money/asset'
import { mulDiv } from '@clearwell/money/mul-div'
import { clearwellVaultAbi, clearwellVaultBytecode } from '@clearwell/vault/abi/clearwell-vault'
import { testTokenAbi, testTokenBytecode } from '@clearwell/vault/abi/test-token'
import {
  type Abi,
  type Account,
  createTestClient,
  createWalletClient,
  defineChain,
  http,
  type PublicClient,
  parseEther,
  parseUnits,
  publicActions,
  type WalletClient,
  zeroAddress,
} from 'viem'
import { type HDAccount, mnemonicToAccount } from 'viem/accounts'
import { ConfigError } from '../../config/config-error.ts'
import type { PlatformConfig } from '../../config/platform-config.ts'
import type { Custody } from './chain.ts'
import { vaultDeposit } from './vault-deposit.ts'

/** The mnemonic that every local test chain has. Known to everyone: it guards play money only. */
const MNEMONIC = 'test test test test test test test test test test test junk'
const ROLES = { operator: 0, signer: 1, guardian: 2, faucet: 3 } as const

/** Whose vouchers the vault of a local chain pays. */
export function localSignerAccount(): HDAccount {
  return mnemonicToAccount(MNEMONIC, { addressIndex: ROLES.signer })
}

/** What the faucet gives. */
const FAUCET = { BNB: '10', USDT: '10000', ETH: '5' } as const
/** Test tokens made for the operator, who funds the pools with a real deposit, and for the faucet. */
const MINTED = '1000000000'

/** What the local vault lets out, of each asset. */
const VAULT_LIMITS = { perVoucher: '1000000', perDay: '10000000' } as const

/** What the operator deposits, in base units. */
export type Liquidity = Readonly<Record<'BNB' | 'USDT' | 'ETH', bigint>>

/** The parts of the local chain that only exist in the local profile. */
export interface LocalChain {
  readonly custody: Custody
  /** Pays these amounts into the vault, out of the operator's wallet. */
  depositLiquidity(needed: Liquidity): Promise<void>
  /** Gives test money to an address. Answers the hash of each payment. */
  faucet(address: `0x${string}`): Promise<{ asset: 'BNB' | 'USDT' | 'ETH'; amount: string; txHash: string }[]>
  /** Moves the chain's clock to `time` if it is behind, and makes a block there. */
  moveTo(time: Date): Promise<void>
}

interface Deployment {
  readonly vault: `0x${string}`
  readonly vaultBlock: string
  readonly USDT: `0x${string}`
  readonly ETH: `0x${string}`
}

/**
 * Finds the vault and the test tokens on the local chain, or deploys them once.
 *
 * @param folder where the addresses are kept.
 * @param isNewLedger whether the ledger is empty. A ledger with entries and a chain without its vault do not belong together.
 */
export async function openLocalChain(
  config: PlatformConfig,
  client: PublicClient,
  rpcUrl: string,
  { folder, isNewLedger }: { folder: string; isNewLedger: boolean },
): Promise<LocalChain> {
  const chain = defineChain({
    id: config.chain.id,
    name: config.chain.name,
    nativeCurrency: config.chain.native,
    rpcUrls: { default: { http: [rpcUrl] } },
  })
  const account = (role: keyof typeof ROLES) => mnemonicToAccount(MNEMONIC, { addressIndex: ROLES[role] })
  const walletOf = (from: Account) => createWalletClient({ account: from, chain, transport: http(rpcUrl) })
  const operator = walletOf(account('operator'))
  const faucet = walletOf(account('faucet'))
  const test = createTestClient({ chain, mode: 'anvil', transport: http(rpcUrl) }).extend(publicActions)

  const file = join(folder, 'deployment.json')
  const deployment = await findDeployment(client, file, isNewLedger)
  const { vault, vaultBlock, USDT, ETH } = deployment ?? (await deploy())

  async function deploy(): Promise<Deployment> {
    const operatorAddress = operator.account.address
    const make = async (abi: Abi, bytecode: `0x${string}`, args: readonly unknown[]) => {
      const hash = await operator.deployContract({ abi, bytecode, args })
      const receipt = await client.waitForTransactionReceipt({ hash, pollingInterval: 50 })
      if (!receipt.contractAddress) throw new Error('a contract of the local chain could not be deployed')
      return { address: receipt.contractAddress, block: receipt.blockNumber }
    }
    const vaultOwner = operatorAddress
    const made = await make(clearwellVaultAbi as Abi, clearwellVaultBytecode, [
      vaultOwner,
      account('signer').address,
      account('guardian').address,
    ])
    const { tokens } = config.chain
    const usdt = await make(testTokenAbi as Abi, testTokenBytecode, [
      tokens.USDT.name,
      'USDT',
      tokens.USDT.decimals,
      operatorAddress,
    ])
    const eth = await make(testTokenAbi as Abi, testTokenBytecode, [
      tokens.ETH.name,
      'ETH',
      tokens.ETH.decimals,
      operatorAddress,
    ])
    for (const [token, decimals] of [
      [usdt.address, tokens.USDT.decimals],
      [eth.address, tokens.ETH.decimals],
    ] as const) {
      for (const to of [operatorAddress, faucet.account.address]) {
        await confirm(
          operator.writeContract({
            address: token,
            abi: testTokenAbi,
            functionName: 'mint',
            args: [to, parseUnits(MINTED, decimals)],
          }),
        )
      }
    }
    // An asset without limits is closed in both directions.
    for (const [asset, decimals] of [
      [zeroAddress, config.chain.native.decimals],
      [usdt.address, tokens.USDT.decimals],
      [eth.address, tokens.ETH.decimals],
    ] as const) {
      await confirm(
        operator.writeContract({
          address: made.address,
          abi: clearwellVaultAbi,
          functionName: 'setLimits',
          args: [asset, parseUnits(VAULT_LIMITS.perVoucher, decimals), parseUnits(VAULT_LIMITS.perDay, decimals)],
        }),
      )
    }
    const deployed = { vault: made.address, vaultBlock: made.block.toString(), USDT: usdt.address, ETH: eth.address }
    await writeFile(file, `${JSON.stringify(deployed, null, 2)}\n`)
    return deployed
  }

  async function confirm(sending: Promise<`0x${string}`>): Promise<`0x${string}`> {
    const hash = await sending
    const receipt = await client.waitForTransactionReceipt({ hash, pollingInterval: 50 })
    if (receipt.status !== 'success') throw new Error(`transaction ${hash} failed on the local chain`)
    return hash
  }

  // The faucet's account sends one transaction after the other, so that two callers never share a nonce.
  let lastGift: Promise<unknown> = Promise.resolve()

  return {
    custody: {
      vault,
      vaultBlock: BigInt(vaultBlock),
      operator: operator.account.address.toLowerCase(),
      tokens: [
        { asset: 'USDT', address: USDT, decimals: config.chain.tokens.USDT.decimals },
        { asset: 'ETH', address: ETH, decimals: config.chain.tokens.ETH.decimals },
      ],
    },
    async depositLiquidity(needed) {
      for (const [asset, token] of [
        ['USDT', USDT],
        ['ETH', ETH],
      ] as const) {
        if (needed[asset] === 0n) continue
        // Up: the pools are filled to the last unit of the configuration, or a fraction of a token's unit above.
        const unit = 10n ** BigInt(ASSET_DECIMALS[asset] - config.chain.tokens[asset].decimals)
        const units = mulDiv(needed[asset], 1n, unit, 'up')
        await approve(operator, token, units)
        const call = vaultDeposit({ vault, token, units, orderId: null })
        await confirm(operator.sendTransaction({ ...call, account: operator.account, chain }))
      }
      if (needed.BNB > 0n) {
        const call = vaultDeposit({ vault, token: null, units: needed.BNB, orderId: null })
        await confirm(operator.sendTransaction({ ...call, account: operator.account, chain }))
      }
      // On this chain a block is only made for a transaction.
      if (config.chain.confirmations > 1) await test.mine({ blocks: config.chain.confirmations - 1 })
    },
    faucet(address) {
      const give = async () => {
        const gifts: Awaited<ReturnType<LocalChain['faucet']>> = []
        const bnb = faucet.sendTransaction({
          to: address,
          value: parseEther(FAUCET.BNB),
          account: faucet.account,
          chain,
        })
        gifts.push({ asset: 'BNB', amount: FAUCET.BNB, txHash: await confirm(bnb) })
        for (const [asset, token] of [
          ['USDT', USDT],
          ['ETH', ETH],
        ] as const) {
          const sending = faucet.writeContract({
            address: token,
            abi: testTokenAbi,
            functionName: 'transfer',
            args: [address, parseUnits(FAUCET[asset], config.chain.tokens[asset].decimals)],
          })
          gifts.push({ asset, amount: FAUCET[asset], txHash: await confirm(sending) })
        }
        return gifts
      }
      const gift = lastGift.then(give)
      lastGift = gift.catch(() => {})
      return gift
    },
    async moveTo(time) {
      const { timestamp } = await test.getBlock()
      const seconds = Math.floor(time.getTime() / 1000) - Number(timestamp)
      if (seconds <= 0) return
      await test.setNextBlockTimestamp({ timestamp: timestamp + BigInt(seconds) })
      await test.mine({ blocks: 1 })
    },
  }

  async function approve(
    owner: WalletClient & { account: Account },
    token: `0x${string}`,
    units: bigint,
  ): Promise<void> {
    await confirm(
      owner.writeContract({
        address: token,
        abi: testTokenAbi,
        functionName: 'approve',
        args: [vault, units],
        account: owner.account,
        chain,
      }),
    )
  }
}

async function findDeployment(
  client: PublicClient,
  file: string,
  isNewLedger: boolean,
): Promise<Deployment | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined)
  const deployment = text === undefined ? undefined : (JSON.parse(text) as Deployment)
  const code = deployment && (await client.getCode({ address: deployment.vault }))
  if (code && code !== '0x') return deployment
  if (!isNewLedger) {
    throw new ConfigError(
      'The ledger has entries, but the local chain has no vault: the two do not belong together. Give back the chain state, or set DATA_DIR to an empty folder.',
    )
  }
  return undefined
}
