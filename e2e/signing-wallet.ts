import type { BrowserContext, Page } from '@playwright/test'
import type { Hex } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { connectorIdOf, offerProvider } from './offer-provider.ts'
import {
  createWalletState,
  type EmitEvents,
  type Request,
  replaceHeldBack,
  respondToRequest,
  type SignedTyped,
  switchChain,
  type WalletFault,
  type WalletResponse,
  type WalletState,
} from './wallet-requests.ts'

const USER_REJECTED = { code: 4001, message: 'User rejected the request.' }

/** A browser wallet for tests: announces itself by EIP-6963, as extensions do, and really signs and sends. */
export interface SigningWallet {
  readonly account: PrivateKeyAccount
  readonly name: string
  /** All requests of the page so far, in order. */
  readonly requests: { method: string; params: readonly unknown[] }[]
  /** Signed texts. */
  readonly signedTexts: string[]
  /** Signed typed data (EIP-712). */
  readonly signedTyped: SignedTyped[]
  /** Rejects requests of this method from now on, as a user pressing "Reject" would. */
  refuse(method: string): void
  /** Fails requests of this method with this error from now on. */
  failWith(method: string, error: WalletFault): void
  /** Responds to requests of this method with this result from now on. */
  respondWith(method: string, result: unknown): void
  /** Holds requests of this method from now on, as while a user decides. @returns the function that releases them. */
  hold(method: string): () => void
  /**
   * Keeps its transactions unmined from now on, as with too low a fee, until the user speeds them up or cancels them.
   * A gap in the nonces holds them back, so the chain itself continues.
   */
  holdBack(): void
  /** Sends the last held-back transaction again with a higher fee, so that it is mined. */
  speedUp(): Promise<Hex>
  /** Replaces the last held-back transaction by a payment of zero to the user, which is mined. */
  cancel(): Promise<Hex>
  /** Approves all requests again. */
  approveAll(): void
  /** Switches to another account, emits accountsChanged, and signs with that account from now on. */
  changeAccount(): Promise<PrivateKeyAccount>
  /** Switches to another chain and emits chainChanged. */
  changeChain(chainId: number): Promise<void>
  /** Ends the connection to the page: emits accountsChanged without accounts, then disconnect. */
  disconnect(): Promise<void>
}

export interface WalletOptions {
  readonly name?: string
  /** The initial chain. */
  readonly chainId?: number
  /** `false` makes the page add the local chain first. */
  readonly knowsLocalChain?: boolean
  /** Milliseconds from page load until the wallet appears; immediately if omitted. */
  readonly appearsAfterMs?: number
  /** The account's key, new if omitted. The same key in two browsers is one account on two devices. */
  readonly key?: Hex
  /** The port of the chain; the shared server's if omitted. */
  readonly chainPort?: number
  /** Appears by EIP-6963, or only as `window.ethereum`, as in a wallet app's browser. */
  readonly as?: 'announced' | 'ethereum'
}

export const WALLET_NAME = 'Signing test wallet'

/** Installs a wallet in a page, or in every page of a context, before the app loads. */
export async function installWallet(
  target: Page | BrowserContext,
  { name = WALLET_NAME, as = 'announced', appearsAfterMs, ...rest }: WalletOptions = {},
): Promise<SigningWallet> {
  const state = createWalletState(rest)
  const emit = emitterOf(target, name)
  const prepared = new Map<string, WalletResponse | Promise<undefined>>()
  const requests: SigningWallet['requests'] = []

  await target.exposeFunction(`${name} requests`, async (request: Request): Promise<WalletResponse> => {
    requests.push({ method: request.method, params: request.params ?? [] })
    const instead = await prepared.get(request.method)
    if (instead) return instead
    try {
      return { result: await respondToRequest(state, emit, request) }
    } catch (error) {
      const { code = -32603, shortMessage, message } = error as WalletFault & { shortMessage?: string }
      return { error: { code, message: shortMessage ?? message } }
    }
  })
  await target.addInitScript(offerProvider, {
    name,
    as,
    rdns: connectorIdOf(name),
    ...(appearsAfterMs === undefined ? {} : { appearsAfterMs }),
  })
  return {
    get account() {
      return state.account
    },
    name,
    requests,
    signedTexts: state.signedTexts,
    signedTyped: state.signedTyped,
    ...responses(prepared),
    ...actionsOfUser(state, emit),
  }
}

/** Decides how the wallet responds to a method from now on. */
function responses(
  prepared: Map<string, WalletResponse | Promise<undefined>>,
): Pick<SigningWallet, 'refuse' | 'failWith' | 'respondWith' | 'hold' | 'approveAll'> {
  return {
    refuse: (method) => prepared.set(method, { error: USER_REJECTED }),
    failWith: (method, error) => prepared.set(method, { error }),
    respondWith: (method, result) => prepared.set(method, { result }),
    hold(method) {
      const { promise, resolve } = Promise.withResolvers<undefined>()
      prepared.set(method, promise)
      return () => {
        prepared.delete(method)
        resolve(undefined)
      }
    },
    approveAll: () => prepared.clear(),
  }
}

function actionsOfUser(
  state: WalletState,
  emit: EmitEvents,
): Pick<SigningWallet, 'holdBack' | 'speedUp' | 'cancel' | 'changeAccount' | 'changeChain' | 'disconnect'> {
  return {
    holdBack() {
      state.holdsBack = true
    },
    speedUp: () => replaceHeldBack(state, (held) => held),
    cancel: () => replaceHeldBack(state, ({ nonce }) => ({ to: state.account.address, value: 0n, nonce })),
    async changeAccount() {
      state.account = privateKeyToAccount(generatePrivateKey())
      await emit(['accountsChanged', [state.account.address]])
      return state.account
    },
    changeChain: (next) => switchChain(state, emit, next),
    async disconnect() {
      await emit(['accountsChanged', []], ['disconnect', { code: 4900, message: 'The provider is disconnected.' }])
    },
  }
}

function emitterOf(target: Page | BrowserContext, name: string): EmitEvents {
  return async (...events) => {
    const pages = 'pages' in target ? target.pages() : [target]
    for (const page of pages) {
      // Deferred, since the event may reload the page, which would lose the response to this evaluation.
      await page.evaluate(
        ([key, all]) =>
          void setTimeout(() => {
            for (const args of all) (window as never as Record<string, Emit>)[key]?.(...args)
          }),
        [`${name} emits`, events] as const,
      )
    }
  }
}

type Emit = (event: string, value: unknown) => void
