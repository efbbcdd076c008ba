import { call } from '../api/client.ts'
import { accountStore, saveUser } from './account-store.ts'

/** Asks the server again who is signed in: at start, and after what changes the user, such as an activation. */
export async function refreshUser(): Promise<void> {
  const { token } = accountStore.get()
  if (token === undefined) return
  try {
    const user = await call('userinfo', {})
    if (accountStore.get().token === token) saveUser(user)
  } catch {
    // What is stored stays in use; a refused token has signed out by itself.
  }
}
