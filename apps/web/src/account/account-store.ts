import type { Answer } from '@clearwell/api/routes'
import { createStore } from '../ui/store.ts'

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

export const accountStore = createStore<Account>(load())

export function saveLogin({ token, user }: { token: string; user: User }): void {
  localStorage.setItem(TOKEN_KEY, token)
  localStorage.setItem(USER_KEY, JSON.stringify(user))
  accountStore.set({ token, user })
}

export function saveUser(user: User): void {
  localStorage.setItem(USER_KEY, JSON.stringify(user))
  accountStore.set({ ...accountStore.get(), user })
}

/** Forgets token and user on this device. The address stays, to notice a change of it. */
export function forgetLogin(): void {
  localStorage.removeItem(TOKEN_KEY)
  localStorage.removeItem(USER_KEY)
  accountStore.set({ token: undefined, user: undefined })
}

/** The address that the wallet showed last. */
export function cachedAddress(): string | undefined {
  return localStorage.getItem(ADDRESS_KEY) ?? undefined
}

export function cacheAddress(address: string): void {
  localStorage.setItem(ADDRESS_KEY, address)
}

function load(): Account {
  if (typeof localStorage === 'undefined') return { token: undefined, user: undefined }
  const token = localStorage.getItem(TOKEN_KEY) ?? undefined
  const stored = localStorage.getItem(USER_KEY)
  if (token === undefined || stored === null) return { token, user: undefined }
  try {
    return { token, user: JSON.parse(stored) as User }
  } catch {
    return { token, user: undefined }
  }
}
