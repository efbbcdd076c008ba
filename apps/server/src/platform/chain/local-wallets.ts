import {
  createTestClient,
  createWalletClient,
  defineChain,
  type Hex,
  http,
  type PublicClient,
  publicActions,
} from 'viem'
import { type HDAccount, mnemonicToAccount } from 'viem/accounts'
import type { PlatformConfig } from '../../config/platform-config.ts'

/** The public mnemonic of every local test chain. It guards test money only. */
const MNEMONIC = 'test test test test test test test test test test test junk'
const ROLES = { operator: 0, signer: 1, guardian: 2, faucet: 3 } as const
/** The interval between polls for a receipt, short because the local chain mines immediately. */
const POLL_MS = 50

const accountOf = (role: keyof typeof ROLES) => mnemonicToAccount(MNEMONIC, { addressIndex: ROLES[role] })

/** The account that signs vouchers for the vault of a local chain. */
export function localSignerAccount(): HDAccount {
  return accountOf('signer')
}

export type LocalWallets = ReturnType<typeof openLocalWallets>

/** The wallets of a local chain's roles, and its controls. */
export function openLocalWallets(config: PlatformConfig, client: PublicClient, rpcUrl: string) {
  const chain = defineChain({
    id: config.chain.id,
    name: config.chain.name,
    nativeCurrency: config.chain.native,
    rpcUrls: { default: { http: [rpcUrl] } },
  })
  const walletOf = (role: keyof typeof ROLES) =>
    createWalletClient({ account: accountOf(role), chain, transport: http(rpcUrl) })
  const receiptOf = (hash: Hex) => client.waitForTransactionReceipt({ hash, pollingInterval: POLL_MS })
  return {
    operator: walletOf('operator'),
    faucet: walletOf('faucet'),
    test: createTestClient({ chain, mode: 'anvil', transport: http(rpcUrl) }).extend(publicActions),
    addressOf: (role: keyof typeof ROLES) => accountOf(role).address,
    receiptOf,
    /** Waits until a transaction is mined. Returns its hash. @throws when it has failed. */
    async confirm(sending: Promise<Hex>): Promise<Hex> {
      const hash = await sending
      const receipt = await receiptOf(hash)
      if (receipt.status !== 'success') throw new Error(`transaction ${hash} failed on the local chain`)
      return hash
    },
  }
}
