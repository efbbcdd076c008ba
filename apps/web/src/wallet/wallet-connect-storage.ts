import { STORAGE_PREFIX } from './wallet-store.ts'

const PREFIX = `${STORAGE_PREFIX}.wc.`

/** Where WalletConnect keeps its keys and sessions: in local storage under our prefix, and in memory besides. */
export class WalletConnectStorage {
  readonly #memory = new Map<string, string>()

  async getKeys(): Promise<string[]> {
    return [...new Set([...storedKeys(), ...this.#memory.keys()])]
  }

  async getEntries<Value>(): Promise<[string, Value][]> {
    const entries: [string, Value][] = []
    for (const key of await this.getKeys()) {
      const value = await this.getItem<Value>(key)
      if (value !== undefined) entries.push([key, value])
    }
    return entries
  }

  async getItem<Value>(key: string): Promise<Value | undefined> {
    const text = stored(key) ?? this.#memory.get(key)
    return text === undefined ? undefined : (JSON.parse(text) as Value)
  }

  async setItem<Value>(key: string, value: Value): Promise<void> {
    const text = JSON.stringify(value)
    if (text === undefined) return this.removeItem(key)
    try {
      localStorage.setItem(PREFIX + key, text)
      this.#memory.delete(key)
    } catch {
      // Full or forbidden: the session lasts as long as the page.
      this.#memory.set(key, text)
    }
  }

  async removeItem(key: string): Promise<void> {
    this.#memory.delete(key)
    try {
      localStorage.removeItem(PREFIX + key)
    } catch {}
  }
}

function stored(key: string): string | undefined {
  try {
    return localStorage.getItem(PREFIX + key) ?? undefined
  } catch {
    return undefined
  }
}

function storedKeys(): string[] {
  try {
    const keys = Array.from({ length: localStorage.length }, (_, i) => localStorage.key(i) ?? '')
    return keys.filter((key) => key.startsWith(PREFIX)).map((key) => key.slice(PREFIX.length))
  } catch {
    return []
  }
}
