import { STORAGE_PREFIX } from './wallet-store.ts'

/** wagmi 3 stamps its stored state with version 3, the specification says 2 (§3): the stamp is changed on the way. */
const WAGMI_VERSION = 3
const STORED_VERSION = 2
const STATE_KEY = `${STORAGE_PREFIX}.store`

/** Local storage for wagmi. A full or forbidden storage costs the memory of the connection, never the connection. */
export const versionedStorage = {
  getItem(key: string): string | null {
    try {
      const value = localStorage.getItem(key)
      return key === STATE_KEY && value !== null ? restamp(value, STORED_VERSION, WAGMI_VERSION) : value
    } catch {
      return null
    }
  },
  setItem(key: string, value: string): void {
    try {
      localStorage.setItem(key, key === STATE_KEY ? restamp(value, WAGMI_VERSION, STORED_VERSION) : value)
    } catch {}
  },
  removeItem(key: string): void {
    try {
      localStorage.removeItem(key)
    } catch {}
  },
}

/** Changes the version from one to the other; any other version stays, and wagmi then starts afresh. */
export function restamp(text: string, from: number, to: number): string {
  const stored = JSON.parse(text) as { version?: number }
  return stored.version === from ? JSON.stringify({ ...stored, version: to }) : text
}
