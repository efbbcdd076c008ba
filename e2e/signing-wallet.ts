import type { BrowserContext, Page } from '@playwright/test'
import { createPublicClient, createWalletClient, type Hex, hexToString, http, numberToHex } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { LOCAL_CHAIN_ID, localChain } from './chain.ts'

const USER_REJECTED = { code: 4001, message: 'User rejected the request.' }
const UNKNOWN_CHAIN = { code: 4902, message: 'Unrecognized chain ID. Try adding the chain first.' }

/** Above the local chain's base fee, and low enough to be outbid. */
const HELD_BACK_FEE = 10_000_000_000n
/** Of what is held back no gas can be estimated: it would fail or not by what is mined before it. */
const GAS_LIMIT = 500_000n

export interface SignedTyped {
  readonly primaryType: string
  readonly message: Readonly<Record<string, unknown>>
}

/** A browser wallet for tests: it announces itself as any extension does (EIP-6963), and signs and sends for real. */
export interface SigningWallet {
  readonly account: PrivateKeyAccount
  readonly name: string
  /** What it was asked, in order. */
  readonly asked: { method: string; params: readonly unknown[] }[]
  /** Texts that it signed. */
  readonly signedTexts: string[]
  /** Typed data (EIP-712) that it signed. */
  readonly signedTyped: SignedTyped[]
  /** From now on it refuses requests of this method, as a person would who presses "reject". */
  refuse(method: string): void
  /** From now on it answers requests of this method with this error. */
  failWith(method: string, error: WalletFault): void
  /** From now on it answers requests of this method with this result. */
  answerWith(method: string, result: unknown): void
  /** From now on requests of this method wait, as while a person makes up their mind. @returns lets them go on. */
  hold(method: string): () => void
  /**
   * From now on what it sends stays unmined, as at too low a fee, until its user speeds it up or cancels it. The chain
   * is not held up: what it sends lies behind a gap in its nonces.
   */
  holdBack(): void
  /** Its user sends the last transaction that it held back again at a higher fee; then it is mined. */
  speedUp(): Promise<Hex>
  /** Its user sends nothing to themselves at a higher fee in the place of the last one held back; then that is mined. */
  cancel(): Promise<Hex>
  /** Approves everything again. */
  approveAll(): void
  /** Its user chooses another account: it says so (accountsChanged), and signs with that one from now on. */
  changeAccount(): Promise<PrivateKeyAccount>
  /** Its user chooses another chain: it says so (chainChanged). */
  changeChain(chainId: number): Promise<void>
  /** It loses its connection to the page and says so (accountsChanged with none, disconnect). */
  disconnect(): Promise<void>
}

export interface WalletFault {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

export interface WalletOptions {
  readonly name?: string
  /** The chain that it is on at first. */
  readonly chainId?: number
  /** Whether it knows the local chain; else it has to be added first. */
  readonly knowsLocalChain?: boolean
  /** Milliseconds after the page has loaded at which it appears; at once where this is absent. */
  readonly appearsAfterMs?: number
  /** Whose it is: the same key in two browsers is one account on two devices. A new one where this is absent. */
  readonly key?: Hex
  /** The port of its chain; that of the shared server where this is absent. */
  readonly chainPort?: number
  /** Where it appears: announced by EIP-6963, or only as `window.ethereum`, as in the browser of a wallet app. */
  readonly as?: 'announced' | 'ethereum'
}

interface Request {
  method: string
  params?: readonly unknown[]
}

type Answer = { result: unknown } | { error: WalletFault }

export const WALLET_NAME = 'Signing test wallet'

/** Installs a wallet in a page, or in every page of a context, before the app loads. */
export async function installWallet(
  target: Page | BrowserContext,
  options: WalletOptions = {},
): Promise<SigningWallet> {
  const { name = WALLET_NAME, key = generatePrivateKey(), knowsLocalChain = true, appearsAfterMs, as } = options
  const chain = localChain(options.chainPort)
  const client = createPublicClient({ chain, transport: http() })
  let account = privateKeyToAccount(key)
  let chainId = options.chainId ?? LOCAL_CHAIN_ID
  const knownChains = new Set([chainId, ...(knowsLocalChain ? [LOCAL_CHAIN_ID] : [])])
  const special = new Map<string, Answer | Promise<undefined>>()
  const asked: SigningWallet['asked'] = []
  const signedTexts: string[] = []
  const signedTyped: SigningWallet['signedTyped'] = []
  let holdsBack = false
  let heldBack: { to: Hex; data?: Hex; value: bigint; nonce: number } | undefined

  /** Says events, all in one turn of the page. */
  const emit = async (...events: readonly (readonly [event: string, value: unknown])[]) => {
    const pages = 'pages' in target ? target.pages() : [target]
    for (const page of pages) {
      // A moment later, since the page may reload because of it, and would take the answer to this along.
      await page.evaluate(
        ([key, all]) =>
          void setTimeout(() => {
            for (const said of all) (window as never as Record<string, Emit>)[key]?.(...said)
          }),
        [`${name} emits`, events] as const,
      )
    }
  }

  const walletClient = () => createWalletClient({ account, chain, transport: http() })

  function send(call: NonNullable<typeof heldBack>, maxFeePerGas: bigint): Promise<Hex> {
    return walletClient().sendTransaction({ ...call, gas: GAS_LIMIT, maxFeePerGas, maxPriorityFeePerGas: 1n })
  }

  /** Puts another transaction in the place of the one held back, and closes the gap before both. */
  async function replace(change: (held: NonNullable<typeof heldBack>) => NonNullable<typeof heldBack>): Promise<Hex> {
    if (!heldBack) throw new Error('the wallet holds nothing back')
    const hash = await send(change(heldBack), 2n * HELD_BACK_FEE)
    const gap = { to: account.address, value: 0n, nonce: heldBack.nonce - 1 }
    heldBack = undefined
    holdsBack = false
    await send(gap, 2n * HELD_BACK_FEE)
    return hash
  }

  async function answer({ method, params = [] }: Request): Promise<unknown> {
    switch (method) {
      case 'eth_accounts':
      case 'eth_requestAccounts':
        return [account.address]
      case 'eth_chainId':
        return numberToHex(chainId)
      case 'wallet_requestPermissions':
      case 'wallet_getPermissions':
        return [
          {
            parentCapability: 'eth_accounts',
            caveats: [{ type: 'restrictReturnedAccounts', value: [account.address] }],
          },
        ]
      case 'wallet_revokePermissions':
        return null
      // As wallets do: who adds a chain is then on it.
      case 'wallet_addEthereumChain':
        chainId = Number((params[0] as { chainId: Hex }).chainId)
        knownChains.add(chainId)
        await emit(['chainChanged', numberToHex(chainId)])
        return null
      case 'wallet_switchEthereumChain': {
        const wanted = Number((params[0] as { chainId: Hex }).chainId)
        if (!knownChains.has(wanted)) throw UNKNOWN_CHAIN
        chainId = wanted
        await emit(['chainChanged', numberToHex(chainId)])
        return null
      }
      case 'personal_sign': {
        const text = hexToString(params[0] as Hex)
        signedTexts.push(text)
        return account.signMessage({ message: text })
      }
      case 'eth_sendTransaction': {
        const { to, data, value } = params[0] as { to: Hex; data?: Hex; value?: Hex }
        const call = { to, ...(data ? { data } : {}), value: BigInt(value ?? '0x0') }
        if (!holdsBack) return walletClient().sendTransaction(call)
        heldBack = { ...call, nonce: (await client.getTransactionCount({ address: account.address })) + 1 }
        return send(heldBack, HELD_BACK_FEE)
      }
      case 'eth_signTypedData_v4': {
        const typed = JSON.parse(params[1] as string)
        signedTyped.push(typed)
        return account.signTypedData(typed)
      }
      default:
        return client.request({ method, params } as never)
    }
  }

  await target.exposeFunction(`${name} is asked`, async (request: Request): Promise<Answer> => {
    asked.push({ method: request.method, params: request.params ?? [] })
    const instead = await special.get(request.method)
    if (instead) return instead
    try {
      return { result: await answer(request) }
    } catch (error) {
      const { code = -32603, shortMessage, message } = error as WalletFault & { shortMessage?: string }
      return { error: { code, message: shortMessage ?? message } }
    }
  })
  await target.addInitScript(offerProvider, {
    name,
    as: as ?? 'announced',
    ...(appearsAfterMs === undefined ? {} : { appearsAfterMs }),
  })
  return {
    get account() {
      return account
    },
    name,
    asked,
    signedTexts,
    signedTyped,
    refuse: (method) => special.set(method, { error: USER_REJECTED }),
    failWith: (method, error) => special.set(method, { error }),
    answerWith: (method, result) => special.set(method, { result }),
    hold(method) {
      const { promise, resolve } = Promise.withResolvers<undefined>()
      special.set(method, promise)
      return () => {
        special.delete(method)
        resolve(undefined)
      }
    },
    holdBack() {
      holdsBack = true
    },
    speedUp: () => replace((held) => held),
    cancel: () => replace(({ nonce }) => ({ to: account.address, value: 0n, nonce })),
    approveAll: () => special.clear(),
    async changeAccount() {
      account = privateKeyToAccount(generatePrivateKey())
      await emit(['accountsChanged', [account.address]])
      return account
    },
    async changeChain(next) {
      chainId = next
      knownChains.add(next)
      await emit(['chainChanged', numberToHex(next)])
    },
    async disconnect() {
      await emit(['accountsChanged', []], ['disconnect', { code: 4900, message: 'The provider is disconnected.' }])
    },
  }
}

type Emit = (event: string, value: unknown) => void

/** Runs in the page. A wallet answers no accounts before it was asked for them, or the app would connect by itself. */
function offerProvider({
  name,
  as,
  appearsAfterMs,
}: {
  name: string
  as: 'announced' | 'ethereum'
  appearsAfterMs?: number
}): void {
  type Ask = (request: { method: string; params?: readonly unknown[] }) => Promise<Answer>
  const here = window as never as Record<string, unknown>
  const listeners = new Map<string, Set<(value: unknown) => void>>()
  const permitted = `${name} is permitted`
  const provider = {
    async request(request: { method: string; params?: readonly unknown[] }) {
      const { method } = request
      const answer = await (here[`${name} is asked`] as Ask)(request)
      if ('error' in answer) {
        const { message, ...rest } = answer.error
        throw Object.assign(new Error(message), rest)
      }
      if (method === 'eth_accounts' && localStorage.getItem(permitted) !== 'yes') return []
      if (method === 'eth_requestAccounts' || method === 'wallet_requestPermissions')
        localStorage.setItem(permitted, 'yes')
      if (method === 'wallet_revokePermissions') localStorage.removeItem(permitted)
      return answer.result
    },
    on(event: string, listener: (value: unknown) => void) {
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener))
    },
    removeListener(event: string, listener: (value: unknown) => void) {
      listeners.get(event)?.delete(listener)
    },
  }
  here[`${name} emits`] = (event: string, value: unknown) => {
    if (event === 'accountsChanged' && (value as unknown[]).length === 0) localStorage.removeItem(permitted)
    for (const listener of listeners.get(event) ?? []) listener(value)
  }
  const icon = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'
  const detail = Object.freeze({
    info: { uuid: crypto.randomUUID(), name, icon, rdns: `test.${name.toLowerCase().replaceAll(' ', '-')}` },
    provider,
  })
  const announce = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  const appear = () => {
    if (as === 'ethereum') {
      here.ethereum = provider
      window.dispatchEvent(new Event('ethereum#initialized'))
      return
    }
    window.addEventListener('eip6963:requestProvider', announce)
    announce()
  }
  if (appearsAfterMs === undefined) appear()
  else setTimeout(appear, appearsAfterMs)
}
