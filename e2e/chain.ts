import {
  type Account,
  createTestClient,
  createWalletClient,
  defineChain,
  type Hex,
  http,
  parseAbi,
  publicActions,
  walletActions,
} from 'viem'

export const LOCAL_CHAIN_ID = 31337

/** What journeys call of the vault and the tokens by themselves, as anyone may who never opens the app. */
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

/** The chain of a local server, as viem wants it. @param port that of the shared server where absent. */
export function localChain(port: number | string | undefined = process.env.E2E_CHAIN_PORT) {
  return defineChain({
    id: LOCAL_CHAIN_ID,
    name: 'Local chain',
    nativeCurrency: { name: 'BNB', symbol: 'BNB', decimals: 18 },
    rpcUrls: { default: { http: [`http://127.0.0.1:${port}`] } },
  })
}

/** Reads the chain, and does with it what only a test may: sets balances, speaks for any account. */
export function chainControl(port?: number) {
  return createTestClient({ chain: localChain(port), mode: 'anvil', transport: http(), pollingInterval: 50 })
    .extend(publicActions)
    .extend(walletActions)
}

/** What an account sends by itself, past the app. */
export function ownTransactions(account: Account, port?: number) {
  const client = chainControl(port)
  const wallet = createWalletClient({ account, chain: localChain(port), transport: http() })
  const mined = async (sending: Promise<Hex>) => {
    const hash = await sending
    await client.waitForTransactionReceipt({ hash })
    return hash
  }
  return {
    /** The native coin, without a word about what for. */
    pay: (to: Hex, value: bigint) => mined(wallet.sendTransaction({ to, value })),
    transfer: (token: Hex, to: Hex, units: bigint) =>
      mined(wallet.writeContract({ address: token, abi: TOKEN_ABI, functionName: 'transfer', args: [to, units] })),
    /** An approval and a deposit of a token, for an order or, by zeros, for none. */
    async deposit(vault: Hex, token: Hex, units: bigint, orderId: Hex) {
      const approval = { address: token, abi: TOKEN_ABI, functionName: 'approve', args: [vault, units] } as const
      await mined(wallet.writeContract(approval))
      const call = { address: vault, abi: VAULT_ABI, functionName: 'deposit', args: [token, units, orderId] } as const
      return mined(wallet.writeContract(call))
    },
    /** A deposit of what the vault may not take: a block takes it in and throws it out. */
    failingDeposit(vault: Hex, token: Hex, units: bigint) {
      const args = [token, units, `0x${'0'.repeat(64)}`] as const
      return mined(
        wallet.writeContract({ address: vault, abi: VAULT_ABI, functionName: 'deposit', args, gas: 300_000n }),
      )
    },
  }
}
