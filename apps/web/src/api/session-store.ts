import type { ResponseOf } from '@clearwell/api/routes'
import { createStore, useStore } from '../browser/store.ts'

/** The user as the server describes them. */
export type User = ResponseOf<'userinfo'>

/** The signed-in user. Token and user have separate keys in local storage (specification §3). */
interface Session {
  readonly token: string | undefined
  readonly user: User | undefined
}

const TOKEN_KEY = 'clearwell.token'
const USER_KEY = 'clearwell.user'
const ADDRESS_KEY = 'clearwell.address'

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
  store(USER_KEY, JSON.stringify(user))
  store(TOKEN_KEY, token)
  sessionStore.set({ token, user })
}

export function saveUser(user: User): void {
  store(USER_KEY, JSON.stringify(user))
  sessionStore.set({ ...sessionStore.get(), user })
}

/** Removes token and user from this device. The address stays, to notice when the wallet shows another one. */
export function forgetSession(): void {
  store(TOKEN_KEY, undefined)
  store(USER_KEY, undefined)
  sessionStore.set(SIGNED_OUT)
}

/**
 * Follows another tab that signed in or out, or changed the user, without writing to storage. A session of another
 * address than that of this tab's wallet does not count here.
 */
export function followOtherTab(key: string | null, ownAddress: string | undefined): void {
  if (key !== TOKEN_KEY && key !== USER_KEY && key !== null) return
  const stored = load()
  const isOwn = ownAddress === undefined || stored.user?.address.toLowerCase() === ownAddress.toLowerCase()
  const next = stored.token !== undefined && isOwn ? stored : SIGNED_OUT
  const now = sessionStore.get()
  if (next.token === now.token && JSON.stringify(next.user) === JSON.stringify(now.user)) return
  sessionStore.set(next)
}

/** The address that the wallet showed last. */
export function cachedAddress(): string | undefined {
  return read(ADDRESS_KEY)
}

export function cacheAddress(address: string): void {
  store(ADDRESS_KEY, address)
}

/** How the client and the account ask for a sign-in: `main.tsx` provides the session feature's flow. */
let signInFlow: () => Promise<boolean> = async () => false

export function provideSignIn(signIn: () => Promise<boolean>): void {
  signInFlow = signIn
}

/** Starts the sign-in flow, or joins the one in progress. @returns whether the user is signed in at its end. */
export function requestSignIn(): Promise<boolean> {
  return signInFlow()
}

function load(): Session {
  const token = read(TOKEN_KEY)
  const stored = read(USER_KEY)
  if (token === undefined || stored === undefined) return { token, user: undefined }
  try {
    return { token, user: JSON.parse(stored) as User }
  } catch {
    return { token, user: undefined }
  }
}

function read(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined
  } catch {
    return undefined
  }
}

/** Where storage is full or forbidden the session still works, until the page is closed. */
function store(key: string, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
  } catch {}
}
