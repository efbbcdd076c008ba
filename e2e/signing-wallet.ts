import type { Page } from '@playwright/test'
import { createPublicClient, createWalletClient, defineChain, type Hex, hexToString, http } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'

const CHAIN_ID = 31337
const USER_REJECTED = { code: 4001, message: 'User rejected the request.' }

/** A browser wallet for tests: it announces itself as any extension does (EIP-6963), and signs and sends for real. */
export interface SigningWallet {
  readonly account: PrivateKeyAccount
  /** What it was asked, in order. */
  readonly asked: { method: string; params: readonly unknown[] }[]
  /** Texts that it signed. */
  readonly signedTexts: string[]
  /** From now on it refuses requests of this method, as a person would who presses "reject". */
  refuse(method: string): void
  /** Approves everything again. */
  approveAll(): void
}

interface Request {
  method: string
  params?: readonly unknown[]
}

export const WALLET_NAME = 'Signing test wallet'

/** Installs the wallet in a page, before the app loads. */
export async function installWallet(page: Page): Promise<SigningWallet> {
  const account = privateKeyToAccount(generatePrivateKey())
  const rpcUrl = `http://127.0.0.1:${process.env.E2E_CHAIN_PORT}`
  const chain = defineChain({
    id: CHAIN_ID,
    name: 'Local chain',
    nativeCurrency: { name: 'BNB', symbol: 'BNB', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  })
  const client = createPublicClient({ chain, transport: http() })
  const wallet = createWalletClient({ account, chain, transport: http() })
  const refused = new Set<string>()
  const asked: SigningWallet['asked'] = []
  const signedTexts: string[] = []

  async function answer({ method, params = [] }: Request): Promise<unknown> {
    switch (method) {
      case 'eth_requestAccounts':
        return [account.address]
      case 'eth_chainId':
        return `0x${CHAIN_ID.toString(16)}`
      case 'wallet_requestPermissions':
      case 'wallet_getPermissions':
        return [
          {
            parentCapability: 'eth_accounts',
            caveats: [{ type: 'restrictReturnedAccounts', value: [account.address] }],
          },
        ]
      case 'wallet_revokePermissions':
      case 'wallet_switchEthereumChain':
        return null
      case 'personal_sign': {
        const text = hexToString(params[0] as Hex)
        signedTexts.push(text)
        return account.signMessage({ message: text })
      }
      case 'eth_sendTransaction': {
        const { to, data, value } = params[0] as { to: Hex; data?: Hex; value?: Hex }
        return wallet.sendTransaction({ to, ...(data ? { data } : {}), value: BigInt(value ?? '0x0') })
      }
      default:
        return client.request({ method, params } as never)
    }
  }

  await page.exposeFunction('testWalletRequest', async (request: Request) => {
    asked.push({ method: request.method, params: request.params ?? [] })
    if (refused.has(request.method)) return { error: USER_REJECTED }
    try {
      return { result: await answer(request) }
    } catch (error) {
      const {
        code = -32603,
        shortMessage,
        message,
      } = error as { code?: number; shortMessage?: string; message: string }
      return { error: { code, message: shortMessage ?? message } }
    }
  })
  await page.addInitScript(announceProvider, WALLET_NAME)
  return {
    account,
    asked,
    signedTexts,
    refuse: (method) => refused.add(method),
    approveAll: () => refused.clear(),
  }
}

/** Runs in the page. A wallet answers no accounts before it was asked for them, or the app would connect by itself. */
function announceProvider(name: string): void {
  type Ask = (request: {
    method: string
    params?: readonly unknown[]
  }) => Promise<{ result?: unknown; error?: { code: number; message: string } }>
  const listeners = new Map<string, Set<(value: unknown) => void>>()
  const permitted = 'test-wallet-permitted'
  const provider = {
    async request(request: { method: string; params?: readonly unknown[] }) {
      const isPermitted = localStorage.getItem(permitted) === 'yes'
      if (request.method === 'eth_accounts' && !isPermitted) return []
      const method = request.method === 'eth_accounts' ? 'eth_requestAccounts' : request.method
      const ask = (window as unknown as { testWalletRequest: Ask }).testWalletRequest
      const { result, error } = await ask({ ...request, method })
      if (error) throw Object.assign(new Error(error.message), { code: error.code })
      if (method === 'eth_requestAccounts' || method === 'wallet_requestPermissions')
        localStorage.setItem(permitted, 'yes')
      if (method === 'wallet_revokePermissions') localStorage.removeItem(permitted)
      return result
    },
    on(event: string, listener: (value: unknown) => void) {
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener))
    },
    removeListener(event: string, listener: (value: unknown) => void) {
      listeners.get(event)?.delete(listener)
    },
  }
  const icon = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'
  const detail = Object.freeze({
    info: { uuid: crypto.randomUUID(), name, icon, rdns: 'test.clearwell.wallet' },
    provider,
  })
  const announce = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  window.addEventListener('eip6963:requestProvider', announce)
  announce()
}
