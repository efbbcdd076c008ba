import { createSpareGasWallet } from '@clearwell/server/src/platform/chain/spare-gas.ts'
import {
  type Account,
  createTestClient,
  defineChain,
  type Hex,
  http,
  parseAbi,
  publicActions,
  walletActions,
} from 'viem'

export const LOCAL_CHAIN_ID = 31337

/** Functions of the vault and the tokens that journeys call without the app, as anyone can. */
export const VAULT_ABI = parseAbi([
  'function deposit(address asset, uint256 amount, bytes32 orderId) payable',
  'function guardian() view returns (address)',
  'function owner() view returns (address)',
  'function pause()',
  'function unpause()',
])
export const TOKEN_ABI = parseAbi([
  'function approve(address spender, uint256 value) returns (bool)',
  'function transfer(address to, uint256 value) returns (bool)',
  'function balanceOf(address account) view returns (uint256)',
])

/** The chain of a local server, for viem. @param port the shared server's port if omitted. */
export function localChain(port: number | string | undefined = process.env.E2E_CHAIN_PORT) {
  return defineChain({
    id: LOCAL_CHAIN_ID,
    name: 'Local chain',
    nativeCurrency: { name: 'BNB', symbol: 'BNB', decimals: 18 },
    rpcUrls: { default: { http: [`http://127.0.0.1:${port}`] } },
  })
}

/** Reads the chain and controls it as only a test can: sets balances, sends from any account. */
export function chainControl(port?: number) {
  return createTestClient({ chain: localChain(port), mode: 'anvil', transport: http(), pollingInterval: 50 })
    .extend(publicActions)
    .extend(walletActions)
}

/** Transactions that an account sends without the app. */
export function transactionsOf(account: Account, port?: number) {
  const client = chainControl(port)
  const wallet = createSpareGasWallet({ account, chain: localChain(port), transport: http() })
  const mined = async (sending: Promise<Hex>) => {
    const hash = await sending
    await client.waitForTransactionReceipt({ hash, checkReplacement: false })
    return hash
  }
  return {
    /** Sends the native coin without an order. */
    pay: (to: Hex, value: bigint) => mined(wallet.sendTransaction({ to, value })),
    transfer: (token: Hex, to: Hex, units: bigint) =>
      mined(wallet.writeContract({ address: token, abi: TOKEN_ABI, functionName: 'transfer', args: [to, units] })),
    /** Approves and deposits a token for an order; an id of zeros means no order. */
    async deposit(vault: Hex, token: Hex, units: bigint, orderId: Hex) {
      const approval = { address: token, abi: TOKEN_ABI, functionName: 'approve', args: [vault, units] } as const
      await mined(wallet.writeContract(approval))
      const call = { address: vault, abi: VAULT_ABI, functionName: 'deposit', args: [token, units, orderId] } as const
      return mined(wallet.writeContract(call))
    },
    /** Sends a deposit that the vault rejects: the transaction is mined and reverts. */
    failingDeposit(vault: Hex, token: Hex, units: bigint) {
      const args = [token, units, `0x${'0'.repeat(64)}`] as const
      return mined(
        wallet.writeContract({ address: vault, abi: VAULT_ABI, functionName: 'deposit', args, gas: 300_000n }),
      )
    },
  }
}
