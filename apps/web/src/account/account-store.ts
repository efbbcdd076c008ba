import type { Answer } from '@clearwell/api/routes'
import { createStore } from '../browser/store.ts'

/** The user as the server describes them. */
export type User = Answer<'userinfo'>

/** Who is signed in. Each of the three has its own key in local storage (specification §3). */
interface Account {
  readonly token: string | undefined
  readonly user: User | undefined
}

const TOKEN_KEY = 'clearwell.token'
const USER_KEY = 'clearwell.user'
const ADDRESS_KEY = 'clearwell.address'

const NOBODY: Account = { token: undefined, user: undefined }

export const accountStore = createStore<Account>(load())

export function saveLogin({ token, user }: { token: string; user: User }): void {
  // The user first: another tab acts when it sees the token.
  keep(USER_KEY, JSON.stringify(user))
  keep(TOKEN_KEY, token)
  accountStore.set({ token, user })
}

export function saveUser(user: User): void {
  keep(USER_KEY, JSON.stringify(user))
  accountStore.set({ ...accountStore.get(), user })
}

/** Forgets token and user on this device. The address stays, to notice a change of it. */
export function forgetLogin(): void {
  keep(TOKEN_KEY, undefined)
  keep(USER_KEY, undefined)
  accountStore.set(NOBODY)
}

/**
 * Another tab signed in or out, or changed the user: this one follows, at once and without writing anything itself.
 * A session of another address than the one of this tab's wallet is none of this tab's.
 */
export function followOtherTab(key: string | null, ownAddress: string | undefined): void {
  if (key !== TOKEN_KEY && key !== USER_KEY && key !== null) return
  const stored = load()
  const isOwn = ownAddress === undefined || stored.user?.address.toLowerCase() === ownAddress.toLowerCase()
  const next = stored.token !== undefined && isOwn ? stored : NOBODY
  const now = accountStore.get()
  if (next.token === now.token && JSON.stringify(next.user) === JSON.stringify(now.user)) return
  accountStore.set(next)
}

/** The address that the wallet showed last. */
export function cachedAddress(): string | undefined {
  return kept(ADDRESS_KEY)
}

export function cacheAddress(address: string): void {
  keep(ADDRESS_KEY, address)
}

function load(): Account {
  const token = kept(TOKEN_KEY)
  const stored = kept(USER_KEY)
  if (token === undefined || stored === undefined) return { token, user: undefined }
  try {
    return { token, user: JSON.parse(stored) as User }
  } catch {
    return { token, user: undefined }
  }
}

function kept(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined
  } catch {
    return undefined
  }
}

/** A full or forbidden storage costs the memory of the session, never the session. */
function keep(key: string, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
  } catch {}
}
