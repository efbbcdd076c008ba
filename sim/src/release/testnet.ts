import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startAnvil } from '@clearwell/server/src/platform/chain/anvil.ts'
import { createSpareGasWallet } from '@clearwell/server/src/platform/chain/spare-gas.ts'
import { controlChain } from '@clearwell/server/src/platform/chain/testing/local-chain.ts'
import { vaultDeposit } from '@clearwell/server/src/platform/chain/vault-deposit.ts'
import { freePort } from '@clearwell/server/src/platform/http/ports.ts'
import { testTokenAbi, testTokenBytecode } from '@clearwell/vault/abi/test-token'
import { type Address, type Hex, http, parseEther } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'

/** The chain of the staging profile. */
const CHAIN_ID = 97
/** The chain that the test tokens accept when they are deployed. */
const LOCAL_CHAIN_ID = 31337
/** The published key of the first account of each test chain, which has its coins. */
export const OWNER_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const OWNER = privateKeyToAccount(OWNER_KEY)

/** A test chain with the id of BNB Smart Chain's testnet, and two tokens that the owner has minted. No vault yet. */
export interface Testnet {
  readonly rpcUrl: string
  readonly owner: Address
  /** Changes the file of the staging profile: the chain's tokens, a quick watcher, and one pool that needs no market price. */
  writeConfig(from: string, to: string): Promise<void>
  /** Pays USDT into the vault from the owner's account, or from that of the order's user. */
  pay(vault: Address, units: bigint, order?: { readonly account: PrivateKeyAccount; readonly id: Hex }): Promise<void>
  /** Gives coins of the chain, in wei, from the owner's account. */
  give(to: Address, wei: bigint): Promise<void>
  /** @throws when the transaction fails. */
  send(account: PrivateKeyAccount, call: { readonly to: Address; readonly data: Hex }): Promise<void>
  usdtOf(account: Address): Promise<bigint>
  /** A new account with coins for gas and this much USDT. */
  newAccount(usdt: bigint): Promise<PrivateKeyAccount>
  stop(): Promise<void>
  /** Starts it again on its state and port. */
  restart(): Promise<void>
}

/** Starts the chain with its state in `folder`. It makes a block each second, as its head must be young. */
export async function startTestnet(folder: string): Promise<Testnet> {
  const port = await freePort()
  const local = await startAnvil({ folder, port, chainId: LOCAL_CHAIN_ID })
  const usdt = await deployToken(local.rpcUrl, 'Test Tether USD', 'USDT')
  const eth = await deployToken(local.rpcUrl, 'Test Ethereum Token', 'ETH')
  await local.stop()
  let anvil = await startAnvil({ folder, port, chainId: CHAIN_ID })
  const { rpcUrl } = anvil
  const control = controlChain({ rpcUrl, chainId: CHAIN_ID })
  await control.client.setIntervalMining({ interval: 1 })
  const send = async (account: PrivateKeyAccount, call: { to: Address; data?: Hex; value?: bigint }) => {
    const wallet = createSpareGasWallet({ account, chain: control.wallet(account).chain, transport: http(rpcUrl) })
    const receipt = await control.receipt(await wallet.sendTransaction({ ...call, account, chain: wallet.chain }))
    if (receipt.status !== 'success') throw new Error(`the transaction ${receipt.transactionHash} failed`)
  }
  const token = async (account: PrivateKeyAccount, functionName: 'approve' | 'transfer', args: [Address, bigint]) => {
    const wallet = control.wallet(account)
    const call = { address: usdt, abi: testTokenAbi, functionName, args, account, chain: wallet.chain } as const
    await control.receipt(await wallet.writeContract(call))
  }
  return {
    rpcUrl,
    owner: OWNER.address,
    writeConfig: (from, to) => writeConfig(from, to, { USDT: usdt, ETH: eth }),
    async pay(vault, units, order) {
      const account = order?.account ?? OWNER
      await token(account, 'approve', [vault, units])
      await send(account, vaultDeposit({ vault, token: usdt, units, orderId: order?.id ?? null }))
    },
    give: (to, value) => send(OWNER, { to, value }),
    send,
    usdtOf: (account) =>
      control.client.readContract({ address: usdt, abi: testTokenAbi, functionName: 'balanceOf', args: [account] }),
    async newAccount(units) {
      const account = privateKeyToAccount(generatePrivateKey())
      await send(OWNER, { to: account.address, value: parseEther('1') })
      await token(OWNER, 'transfer', [account.address, units])
      return account
    },
    stop: () => anvil.stop(),
    async restart() {
      anvil = await startAnvil({ folder, port, chainId: CHAIN_ID })
      await control.client.setIntervalMining({ interval: 1 })
    },
  }
}

async function deployToken(rpcUrl: string, name: string, symbol: string): Promise<Address> {
  const { wallet, receipt } = controlChain({ rpcUrl, chainId: LOCAL_CHAIN_ID })
  const client = wallet(OWNER)
  const contract = { abi: testTokenAbi, bytecode: testTokenBytecode, account: OWNER, chain: client.chain } as const
  const hash = await client.deployContract({ ...contract, args: [name, symbol, 18, OWNER.address] })
  const { contractAddress } = await receipt(hash)
  if (!contractAddress) throw new Error('the test token was not deployed')
  const mint = { address: contractAddress, abi: testTokenAbi, functionName: 'mint' } as const
  await receipt(
    await client.writeContract({
      ...mint,
      args: [OWNER.address, parseEther('1000000')],
      account: OWNER,
      chain: client.chain,
    }),
  )
  return contractAddress
}

async function writeConfig(from: string, to: string, tokens: Record<'USDT' | 'ETH', Address>): Promise<void> {
  const config = JSON.parse(await readFile(from, 'utf8'))
  Object.assign(config.chain, { operator: OWNER.address, pollMs: 200, confirmations: 1 })
  config.firstOwners = ['3', '4'].map((digit) => ({ address: `0x${digit.repeat(40)}`, name: `Owner ${digit}` }))
  for (const asset of ['USDT', 'ETH'] as const)
    Object.assign(config.chain.tokens[asset], { address: tokens[asset], decimals: 18 })
  config.swap.pools = [{ id: 'rt-usdt', base: 'RT', quote: 'USDT', initialBase: '10000', initialQuote: '1000' }]
  await writeFile(to, JSON.stringify(config, null, 2))
}

/** The file of the staging profile in a release. */
export const stagingFile = (release: string) => join(release, 'apps/server/config/staging.json')
