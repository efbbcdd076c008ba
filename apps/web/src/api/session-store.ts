import type { ResponseOf } from '@clearwell/api/routes'
import { createStore, useStore } from '@clearwell/ui/browser/store.ts'
import { anyText, stored } from '@clearwell/ui/browser/stored.ts'

/** The user as the server describes them. */
export type User = ResponseOf<'userinfo'>

/** The signed-in user. Token and user have separate keys in local storage (specification §3). */
interface Session {
  readonly token: string | undefined
  readonly user: User | undefined
}

/** The token of the session. */
const storedToken = stored<string>({ key: 'clearwell.token', scope: 'device', format: 'text', schema: anyText })
/** The signed-in user. */
const storedUser = stored<User>({
  key: 'clearwell.user',
  scope: 'device',
  schema: (value) => (typeof value === 'object' && value !== null ? (value as User) : undefined),
})
/** The address that the wallet showed last. */
const storedAddress = stored<string>({ key: 'clearwell.address', scope: 'device', format: 'text', schema: anyText })

const SIGNED_OUT: Session = { token: undefined, user: undefined }

export const sessionStore = createStore<Session>(load())

/**
 * True if the session's wallet is connected or reconnecting. The wallet sets this store, because the client is on a lower
 * floor and cannot read the wallet.
 */
export const walletPresentStore = createStore(false)

/** Returns whether a user is signed in: a token is stored and its wallet is present (specification §4). */
export function useSignedIn(): boolean {
  const { token } = useStore(sessionStore)
  const isPresent = useStore(walletPresentStore)
  return token !== undefined && isPresent
}

export function saveSession({ token, user }: { token: string; user: User }): void {
  // The user first: another tab acts when it sees the token.
  storedUser.set(user)
  storedToken.set(token)
  sessionStore.set({ token, user })
}

export function saveUser(user: User): void {
  storedUser.set(user)
  sessionStore.set({ ...sessionStore.get(), user })
}

/** Removes token and user from this device. The address stays, to notice when the wallet shows another one. */
export function forgetSession(): void {
  storedToken.set(undefined)
  storedUser.set(undefined)
  sessionStore.set(SIGNED_OUT)
}

/**
 * Follows another tab that signed in or out, or changed the user, without writing to storage. A session of another
 * address than that of this tab's wallet does not count here.
 */
export function followOtherTab(key: string | null, ownAddress: string | undefined): void {
  if (key !== 'clearwell.token' && key !== 'clearwell.user' && key !== null) return
  const stored = load()
  const isOwn = ownAddress === undefined || stored.user?.address.toLowerCase() === ownAddress.toLowerCase()
  const next = stored.token !== undefined && isOwn ? stored : SIGNED_OUT
  const now = sessionStore.get()
  if (next.token === now.token && JSON.stringify(next.user) === JSON.stringify(now.user)) return
  sessionStore.set(next)
}

/** The address that the wallet showed last. */
export function cachedAddress(): string | undefined {
  return storedAddress.get()
}

export function cacheAddress(address: string): void {
  storedAddress.set(address)
}

/** How the client and the account ask for a sign-in: `main.tsx` provides the session feature's flow. */
let signInFlow: () => Promise<boolean> = async () => false

export function provideSignIn(signIn: () => Promise<boolean>): void {
  signInFlow = signIn
}

/** How many callers wait for a sign-in. On a slow network its code takes seconds, while the buttons that ask for it are busy. */
const signInsAsked = createStore(0)

/** Returns whether a sign-in is asked for, from the press to its end. */
export function useIsSignInAsked(): boolean {
  return useStore(signInsAsked) > 0
}

/** Starts the sign-in flow, or joins the one in progress. @returns whether the user is signed in at its end. */
export async function requestSignIn(): Promise<boolean> {
  signInsAsked.set(signInsAsked.get() + 1)
  try {
    return await signInFlow()
  } finally {
    signInsAsked.set(signInsAsked.get() - 1)
  }
}

function load(): Session {
  const token = storedToken.get()
  return { token, user: token === undefined ? undefined : storedUser.get() }
}
