import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exitVaultAbi, exitVaultBytecode } from '@clearwell/vault/abi/exit-vault'
import { settlementAbi, settlementBytecode } from '@clearwell/vault/abi/settlement'
import { testTokenAbi, testTokenBytecode } from '@clearwell/vault/abi/test-token'
import { vaultKeysAbi } from '@clearwell/vault/abi/vault-keys'
import { type Abi, type Address, getContractAddress, type Hex, parseEther, zeroAddress, zeroHash } from 'viem'
import { generatePrivateKey, mnemonicToAccount, privateKeyToAccount, toAccount } from 'viem/accounts'
import { startAnvil } from '../anvil.ts'
import { controlChain } from './local-chain.ts'

const deployer = mnemonicToAccount('test test test test test test test test test test test junk')
/** Test tokens exist on no other chain. */
export const EXIT_CHAIN_ID = 31_337
export const DAY_S = 86_400

export type ExitVaultChain = Awaited<ReturnType<typeof startExitVaultChain>>

/** A local chain with tokens and a vault with exits, whose keys the test has. */
export async function startExitVaultChain(keys: { readonly rootKey: Address; readonly payout: Address }) {
  const folder = await mkdtemp(join(tmpdir(), 'clearwell-exits-'))
  const anvil = await startAnvil({ folder, port: 0, chainId: EXIT_CHAIN_ID })
  const chain = controlChain({ rpcUrl: anvil.rpcUrl, chainId: EXIT_CHAIN_ID })
  const [bookkeeper, guardian] = [newAccount(), newAccount()]
  const tokens = { BNB: zeroAddress, USDT: await newToken('USDT'), ETH: await newToken('ETH') }
  const vault = await newVault()
  const vaultBlock = await chain.client.getBlockNumber()

  async function create(abi: Abi, bytecode: Hex, args: readonly unknown[]): Promise<Address> {
    const wallet = chain.wallet(deployer)
    const call = { abi, bytecode, args, account: deployer, chain: wallet.chain }
    return (await chain.receipt(await wallet.deployContract(call))).contractAddress as Address
  }

  function newToken(symbol: string): Promise<Address> {
    return create(testTokenAbi as Abi, testTokenBytecode, [symbol, symbol, 18, deployer.address])
  }

  async function newVault(): Promise<Address> {
    const nonce = BigInt(await chain.client.getTransactionCount({ address: deployer.address }))
    const settlement = await create(settlementAbi as Abi, settlementBytecode, [
      getContractAddress({ from: deployer.address, nonce: nonce + 1n }),
    ])
    const most = parseEther('1000000')
    const setup = {
      ...{ owner: deployer.address, guardian: guardian.address, payout: keys.payout, settlement },
      ...{ predecessor: zeroAddress, signers: [newAccount().address], rootKeys: [keys.rootKey] },
      bookkeepers: [bookkeeper.address],
      assets: Object.values(tokens).map((token) => ({ token, perVoucher: most, perDay: most })),
    }
    return create(exitVaultAbi as Abi, exitVaultBytecode, [setup])
  }

  /** Sends a call of an account whose key the chain does not ask for. @throws Error with the reason of a refusal. */
  async function send(
    account: Address,
    to: { address: Address; abi: Abi },
    name: string,
    args: unknown[] = [],
    value = 0n,
  ) {
    const call = { ...to, functionName: name, args, value }
    await chain.client.impersonateAccount({ address: account })
    await chain.client.simulateContract({ ...call, account })
    const wallet = chain.wallet(toAccount(account))
    // As wallets do: an estimate leaves exactly the gas that the vault keeps for reading balances.
    const gas = ((await chain.client.estimateContractGas({ ...call, account })) * 6n) / 5n
    const hash = await wallet.writeContract({ ...call, account, gas, chain: wallet.chain })
    const receipt = await chain.receipt(hash)
    if (receipt.status !== 'success') throw new Error(`${name} failed in ${hash}`)
    return receipt
  }

  const ofVault = { address: vault, abi: exitVaultAbi as Abi }
  return {
    ...chain,
    rpcUrl: anvil.rpcUrl,
    bookkeeper,
    tokens,
    vault,
    vaultBlock,
    /** Gives an account native coin. */
    give: (address: Address, value: bigint) => chain.client.setBalance({ address, value }),
    /** Calls the vault for an account. */
    call: (account: Address, name: string, args: unknown[] = [], value = 0n) =>
      send(account, ofVault, name, args, value),
    /** Pays the vault, with tokens that are created for it. */
    async deposit(account: Address, asset: 'BNB' | 'USDT', units: bigint) {
      const token = tokens[asset]
      if (asset === 'USDT') {
        const ofToken = { address: token, abi: testTokenAbi as Abi }
        await send(deployer.address, ofToken, 'mint', [account, units])
        await send(account, ofToken, 'approve', [vault, units])
      }
      return send(account, ofVault, 'deposit', [token, units, zeroHash], asset === 'BNB' ? units : 0n)
    },
    /** Pauses the vault by its guardian. */
    async pause() {
      const keys = await chain.client.readContract({ address: vault, abi: exitVaultAbi, functionName: 'keys' })
      await chain.client.setBalance({ address: guardian.address, value: parseEther('1') })
      await send(guardian.address, { address: keys, abi: vaultKeysAbi as Abi }, 'pause')
    },
    async forward(seconds: number) {
      await chain.client.increaseTime({ seconds })
      await chain.mine(1)
    },
    async time() {
      return new Date(Number((await chain.client.getBlock()).timestamp) * 1_000)
    },
    async stop() {
      await anvil.stop()
      await rm(folder, { recursive: true })
    },
  }
}

function newAccount() {
  return privateKeyToAccount(generatePrivateKey())
}
