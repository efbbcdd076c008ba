import { STATE_KEY } from './wallet-store.ts'

/** wagmi 3 stamps its stored state with version 3, the specification says 2 (§3): the stamp is changed on the way. */
const WAGMI_VERSION = 3
const STORED_VERSION = 2

/**
 * Local storage for wagmi. A full or forbidden storage costs the memory of the connection, never the connection.
 *
 * wagmi stores its empty state before it has read the stored one; another tab would take that for a disconnection, so
 * the state is not written while `isWritable` says no.
 */
export function versionedStorage(isWritable: () => boolean) {
  return {
    getItem(key: string): string | null {
      try {
        const value = localStorage.getItem(key)
        return key === STATE_KEY && value !== null ? restamp(value, STORED_VERSION, WAGMI_VERSION) : value
      } catch {
        return null
      }
    },
    setItem(key: string, value: string): void {
      if (key === STATE_KEY && !isWritable()) return
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
}

/** Changes the version from one to the other; any other becomes 0, and wagmi then starts afresh. */
export function restamp(text: string, from: number, to: number): string {
  const stored = JSON.parse(text) as { version?: number }
  return JSON.stringify({ ...stored, version: stored.version === from ? to : 0 })
}
