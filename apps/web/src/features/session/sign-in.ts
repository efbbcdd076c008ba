import { showToast } from '@clearwell/ui/components/toast-store.ts'
import { errorText } from '@clearwell/ui/i18n/error-text.ts'
import { ApiError } from '../../api/api-error.ts'
import { call } from '../../api/client.ts'
import { cachedAddress, saveSession, sessionStore } from '../../api/session-store.ts'
import { blockReloadWhile } from '../../browser/page-reload.ts'
import { m } from '../../generated/messages.ts'
import { wallet } from '../../wallet/wallet.ts'
import type { WalletChoice } from '../../wallet/wallet-choices.ts'
import { walletErrorText } from '../../wallet/wallet-error.ts'
import { walletStore } from '../../wallet/wallet-store.ts'
import { forgetInviteCode, inviteCode } from './invite-code.ts'
import { type SignInStage, signInStore } from './sign-in-stage.ts'

let pendingSignIn: { promise: Promise<boolean>; finish: (signedIn: boolean) => void } | undefined

/**
 * Signs in: connects a wallet, gets a nonce, shows its text, signs exactly that text, and logs in. A second call joins the
 * first.
 *
 * @returns `true` once signed in, `false` if the user closed the sheet.
 */
export function signIn(): Promise<boolean> {
  if (!pendingSignIn) {
    let finish: (signedIn: boolean) => void = () => {}
    const promise = new Promise<boolean>((resolve) => {
      finish = resolve
    })
    pendingSignIn = { promise, finish }
    void start()
  }
  return pendingSignIn.promise
}

/** Connects the wallet that the user chose from the list. */
export async function chooseWallet({ uid, name, kind }: Pick<WalletChoice, 'uid' | 'name' | 'kind'>): Promise<void> {
  const now = walletStore.get()
  if (now.status === 'connected' && now.connectorUid === uid && now.address) return prepare(now.address)
  const own: SignInStage = {
    at: 'connecting',
    uid,
    name,
    ...(kind === 'elsewhere' ? { pairing: { uri: undefined } } : {}),
  }
  signInStore.set(own)
  // Going back to the list or choosing another wallet ends this attempt.
  const isOpen = () => {
    const stage = signInStore.get()
    return stage?.at === 'connecting' && stage.uid === uid
  }
  try {
    const core = await wallet()
    const address = await core.connect(uid, (uri) => {
      if (isOpen()) signInStore.set({ ...own, pairing: { uri } })
    })
    if (!address) throw new Error(m.session_invalid_account())
    await prepare(address)
  } catch (error) {
    if (!isOpen()) return
    showToast(walletErrorText(error))
    signInStore.set({ at: 'choose' })
  }
}

/** Returns from a wallet's QR code to the list of wallets. */
export function chooseAgain(): void {
  signInStore.set({ at: 'choose' })
  cancelPairing()
}

/** Asks the wallet to sign the text that the user has read, and logs in. */
export async function confirmSigning({ address, text }: { address: string; text: string }): Promise<void> {
  signInStore.set({ at: 'signing', address, text })
  let reason: string | undefined
  const signature = await wallet()
    .then((core) => core.signMessage({ message: text, account: address }))
    .catch((error: unknown) => {
      reason = walletErrorText(error)
    })
  if (!pendingSignIn) return
  if (!signature) {
    signInStore.set({ at: 'read', address, text, error: { text: m.session_signature_failed(), reason } })
    return
  }
  signInStore.set({ at: 'signing', address, text, isSigned: true })
  try {
    const pid = inviteCode()
    const login = call('login', { ...(pid ? { pid } : {}), address, signature, device_type: 'web' })
    const session = await blockReloadWhile(login)
    saveSession(session)
    forgetInviteCode()
    // The server takes an unknown code for none, and an account keeps what it began with.
    if (pid && session.user.parent === null) showToast(m.session_invite_unused({ code: pid }))
    end(true)
  } catch (error) {
    // A nonce works once and for five minutes, so a refused login needs a new text.
    signInStore.set({ at: 'failed', error: errorText(error) })
  }
}

/** Starts again after a failure, with a new nonce. */
export function retrySignIn(): void {
  void start()
}

export function cancelSignIn(): void {
  cancelPairing()
  end(false)
}

function cancelPairing(): void {
  void wallet().then(
    (core) => core.cancelPairing(),
    () => {},
  )
}

async function start(): Promise<void> {
  const { status, isResuming } = walletStore.get()
  const isExpected = isResuming || status === 'connected' || status === 'reconnecting'
  // Without a wallet the list comes first: its rows load with the wallet's code.
  signInStore.set({ at: isExpected ? 'preparing' : 'choose' })
  try {
    await wallet()
    // The user closed the sheet while the wallet's code loaded: it stays closed.
    if (!pendingSignIn) return
    const { status, address } = walletStore.get()
    if (status === 'connected' && address) {
      if (sessionStore.get().token !== undefined && cachedAddress() === address) end(true)
      else await prepare(address)
    } else signInStore.set({ at: 'choose' })
  } catch (error) {
    if (pendingSignIn) signInStore.set({ at: 'failed', error: errorText(error) })
  }
}

/** Gets the text to sign. */
async function prepare(address: string): Promise<void> {
  if (!pendingSignIn) return
  signInStore.set({ at: 'preparing' })
  try {
    const { nonceStr } = await call('getNonce', { address })
    if (pendingSignIn) signInStore.set({ at: 'read', address, text: nonceStr })
  } catch (error) {
    const invalid = error instanceof ApiError && error.codeName === 'invalid_account'
    if (pendingSignIn)
      signInStore.set({ at: 'failed', error: invalid ? m.session_invalid_account() : errorText(error) })
  }
}

function end(signedIn: boolean): void {
  signInStore.set(undefined)
  pendingSignIn?.finish(signedIn)
  pendingSignIn = undefined
}
