import type { BrowserContext, Page } from '@playwright/test'
import type { Hex } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { offerProvider } from './offer-provider.ts'
import {
  type Answer,
  answerRequest,
  createWalletState,
  type EmitEvents,
  type Request,
  replaceHeldBack,
  type SignedTyped,
  switchChain,
  type WalletFault,
  type WalletState,
} from './wallet-requests.ts'

const USER_REJECTED = { code: 4001, message: 'User rejected the request.' }

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

export const WALLET_NAME = 'Signing test wallet'

/** Installs a wallet in a page, or in every page of a context, before the app loads. */
export async function installWallet(
  target: Page | BrowserContext,
  { name = WALLET_NAME, as = 'announced', appearsAfterMs, ...rest }: WalletOptions = {},
): Promise<SigningWallet> {
  const state = createWalletState(rest)
  const emit = emitterOf(target, name)
  const prepared = new Map<string, Answer | Promise<undefined>>()
  const asked: SigningWallet['asked'] = []

  await target.exposeFunction(`${name} is asked`, async (request: Request): Promise<Answer> => {
    asked.push({ method: request.method, params: request.params ?? [] })
    const instead = await prepared.get(request.method)
    if (instead) return instead
    try {
      return { result: await answerRequest(state, emit, request) }
    } catch (error) {
      const { code = -32603, shortMessage, message } = error as WalletFault & { shortMessage?: string }
      return { error: { code, message: shortMessage ?? message } }
    }
  })
  await target.addInitScript(offerProvider, { name, as, ...(appearsAfterMs === undefined ? {} : { appearsAfterMs }) })
  return {
    get account() {
      return state.account
    },
    name,
    asked,
    signedTexts: state.signedTexts,
    signedTyped: state.signedTyped,
    ...responses(prepared),
    ...actionsOfUser(state, emit),
  }
}

/** Decides how the wallet responds to a method from now on. */
function responses(
  prepared: Map<string, Answer | Promise<undefined>>,
): Pick<SigningWallet, 'refuse' | 'failWith' | 'answerWith' | 'hold' | 'approveAll'> {
  return {
    refuse: (method) => prepared.set(method, { error: USER_REJECTED }),
    failWith: (method, error) => prepared.set(method, { error }),
    answerWith: (method, result) => prepared.set(method, { result }),
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
      // A moment later: the event may make the page reload, which would lose the response to this evaluation.
      await page.evaluate(
        ([key, all]) =>
          void setTimeout(() => {
            for (const said of all) (window as never as Record<string, Emit>)[key]?.(...said)
          }),
        [`${name} emits`, events] as const,
      )
    }
  }
}

type Emit = (event: string, value: unknown) => void
