import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exitVaultAbi, exitVaultBytecode } from '@clearwell/vault/abi/exit-vault'
import { settlementAbi, settlementBytecode } from '@clearwell/vault/abi/settlement'
import { testTokenAbi, testTokenBytecode } from '@clearwell/vault/abi/test-token'
import { vaultKeysAbi } from '@clearwell/vault/abi/vault-keys'
import { rootVoucherDomain, rootVoucherTypes } from '@clearwell/vault/abi/withdrawal-typed-data'
import { type Abi, type Address, getContractAddress, type Hex, parseEther, zeroAddress, zeroHash } from 'viem'
import { generatePrivateKey, mnemonicToAccount, privateKeyToAccount, toAccount } from 'viem/accounts'
import { startAnvil } from '../anvil.ts'
import { withSpareGas } from '../spare-gas.ts'
import { controlChain } from './local-chain.ts'

const deployer = mnemonicToAccount('test test test test test test test test test test test junk')
/** Test tokens exist on no other chain. */
export const EXIT_CHAIN_ID = 31_337
export const DAY_S = 86_400

export type ExitVaultChain = Awaited<ReturnType<typeof startExitVaultChain>>
type Controls = ReturnType<typeof controlChain>
type Contract = { readonly address: Address; readonly abi: Abi }

interface Keys {
  readonly rootKey: Address
  readonly payout: Address
}

/** A local chain with tokens and a vault with exits, whose keys the test has. */
export async function startExitVaultChain(keys: Keys) {
  const folder = await mkdtemp(join(tmpdir(), 'clearwell-exits-'))
  const anvil = await startAnvil({ folder, port: 0, chainId: EXIT_CHAIN_ID })
  const chain = controlChain({ rpcUrl: anvil.rpcUrl, chainId: EXIT_CHAIN_ID })
  const [bookkeeper, guardian, signer] = [newAccount(), newAccount(), newAccount()]
  const tokens = await deployTokens(chain)
  const of = { ...keys, tokens, bookkeeper: bookkeeper.address, guardian: guardian.address, signer: signer.address }
  const vault = await deployVault(chain, of)
  const ofVault = { address: vault, abi: exitVaultAbi as Abi }
  return {
    ...chain,
    rpcUrl: anvil.rpcUrl,
    bookkeeper,
    tokens,
    vault,
    vaultBlock: await chain.client.getBlockNumber(),
    /** Deploys a vault with the same keys that money of this one can move to. */
    deployNext: () => deployVault(chain, { ...of, predecessor: vault }),
    /** Has the owner name the next vault, which counts ten days later. */
    async announce(next: Address) {
      const address = await chain.client.readContract({ ...ofVault, abi: exitVaultAbi, functionName: 'keys' })
      const keys = { address, abi: vaultKeysAbi as Abi }
      await send(chain, deployer.address, keys, { name: 'announceSuccessor', args: [next] })
    },
    /** Pays units of an asset to the next vault. */
    async payNext(next: Address, { token, units }: { readonly token: Address; readonly units: bigint }) {
      const { timestamp } = await chain.client.getBlock()
      const voucher = { account: next, asset: token, amount: units, nonce: 1n, deadline: timestamp + 3_600n, root: 0n }
      const signature = await signer.signTypedData({
        ...{ domain: rootVoucherDomain({ chainId: EXIT_CHAIN_ID, vault }), types: rootVoucherTypes },
        ...{ primaryType: 'Withdrawal', message: voucher },
      })
      await send(chain, deployer.address, ofVault, { name: 'withdraw', args: [voucher, signature] })
    },
    /** Gives an account native coin. */
    give: (address: Address, value: bigint) => chain.client.setBalance({ address, value }),
    /** Calls the vault for an account. @throws Error with the reason of a refusal. */
    call: (account: Address, name: string, args: unknown[] = [], value = 0n) =>
      send(chain, account, ofVault, { name, args, value }),
    /** Calls another vault for an account. */
    callAt: (address: Address, account: Address, name: string, args: unknown[]) =>
      send(chain, account, { ...ofVault, address }, { name, args }),
    /** Pays the vault in its native coin. */
    depositBnb: (account: Address, units: bigint) =>
      send(chain, account, ofVault, { name: 'deposit', args: [zeroAddress, units, zeroHash], value: units }),
    /** Pauses the vault by its guardian. */
    async pause() {
      const address = await chain.client.readContract({ ...ofVault, abi: exitVaultAbi, functionName: 'keys' })
      await chain.client.setBalance({ address: guardian.address, value: parseEther('1') })
      await send(chain, guardian.address, { address, abi: vaultKeysAbi as Abi }, { name: 'pause' })
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

async function deployTokens(chain: Controls) {
  const newToken = (symbol: string) =>
    create(chain, testTokenAbi as Abi, testTokenBytecode, [symbol, symbol, 18, deployer.address])
  return { BNB: zeroAddress, USDT: await newToken('USDT'), ETH: await newToken('ETH') }
}

interface VaultKeys extends Keys {
  readonly tokens: Awaited<ReturnType<typeof deployTokens>>
  readonly bookkeeper: Address
  readonly guardian: Address
  readonly signer: Address
  readonly predecessor?: Address
}

async function deployVault(
  chain: Controls,
  { rootKey, payout, tokens, bookkeeper, guardian, signer, predecessor = zeroAddress }: VaultKeys,
): Promise<Address> {
  const nonce = BigInt(await chain.client.getTransactionCount({ address: deployer.address }))
  const settlement = await create(chain, settlementAbi as Abi, settlementBytecode, [
    getContractAddress({ from: deployer.address, nonce: nonce + 1n }),
  ])
  const most = parseEther('1000000')
  const setup = {
    ...{ owner: deployer.address, guardian, payout, settlement, predecessor },
    ...{ signers: [signer], rootKeys: [rootKey], bookkeepers: [bookkeeper] },
    assets: Object.values(tokens).map((token) => ({ token, perVoucher: most, perDay: most })),
  }
  return create(chain, exitVaultAbi as Abi, exitVaultBytecode, [setup])
}

async function create(chain: Controls, abi: Abi, bytecode: Hex, args: readonly unknown[]): Promise<Address> {
  const wallet = chain.wallet(deployer)
  const call = { abi, bytecode, args, account: deployer, chain: wallet.chain }
  return (await chain.receipt(await wallet.deployContract(call))).contractAddress as Address
}

/** Sends a call of an account whose key the chain does not ask for. */
async function send(
  chain: Controls,
  account: Address,
  to: Contract,
  { name, args = [], value = 0n }: { readonly name: string; readonly args?: unknown[]; readonly value?: bigint },
) {
  const call = { ...to, functionName: name, args, value }
  await chain.client.impersonateAccount({ address: account })
  await chain.client.simulateContract({ ...call, account })
  const wallet = chain.wallet(toAccount(account))
  // As wallets do: an estimate leaves exactly the gas that the vault keeps for reading balances.
  const gas = withSpareGas(await chain.client.estimateContractGas({ ...call, account }))
  const hash = await wallet.writeContract({ ...call, account, gas, chain: wallet.chain })
  const receipt = await chain.receipt(hash)
  if (receipt.status !== 'success') throw new Error(`${name} failed in ${hash}`)
}

function newAccount() {
  return privateKeyToAccount(generatePrivateKey())
}
