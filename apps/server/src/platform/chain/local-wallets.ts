import { createTestClient, defineChain, type Hex, http, type PublicClient, publicActions } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { PlatformConfig } from '../../config/platform-config.ts'
import { createSpareGasWallet } from './spare-gas.ts'

/**
 * The published keys of every local test chain, of its mnemonic's first accounts. They guard test money only. Deriving them
 * from the mnemonic would take a fifth of a second of each start.
 */
const KEYS = {
  operator: '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
  signer: '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
  guardian: '0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a',
  faucet: '0x7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6',
  owner: '0x2a871d0798f97d79848a013d4936a73bf4cc922c825d33c1cf7073dff6d409c6',
  secondOwner: '0xdbda1821b80551c9d65939329250298aa3472ba22feea921c0cf5d620ea67b97',
} as const
/** The interval between polls for a receipt, short because the local chain mines immediately. */
const POLL_MS = 50

type Role = keyof typeof KEYS

const accountOf = (role: Role) => privateKeyToAccount(KEYS[role])

/** The account that signs vouchers for the vault of a local chain. */
export function localSignerAccount(): PrivateKeyAccount {
  return accountOf('signer')
}

/** The first owners of a local ledger. Everyone has their keys, so no command needs a key there. */
export function localOwners(): { name: string; account: PrivateKeyAccount }[] {
  return [
    { name: 'Local owner', account: accountOf('owner') },
    { name: 'Second local owner', account: accountOf('secondOwner') },
  ]
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
  const walletOf = (role: Role) => createSpareGasWallet({ account: accountOf(role), chain, transport: http(rpcUrl) })
  // While viem looks for a replacement it may miss the block of the payment, and this chain may not make another for minutes.
  const receiptOf = (hash: Hex) =>
    client.waitForTransactionReceipt({ hash, pollingInterval: POLL_MS, checkReplacement: false })
  return {
    operator: walletOf('operator'),
    faucet: walletOf('faucet'),
    test: createTestClient({ chain, mode: 'anvil', transport: http(rpcUrl) }).extend(publicActions),
    addressOf: (role: Role) => accountOf(role).address,
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
