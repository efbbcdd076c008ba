import { UniversalProvider } from '@walletconnect/universal-provider'
import { STORAGE_PREFIX } from './wallet-store.ts'

/** The operator's WalletConnect settings, and the details that wallets show about this site. */
export interface WalletConnectSite {
  readonly projectId: string
  /** The relay; WalletConnect's own where there is none. */
  readonly relayUrl: string | undefined
  readonly name: string
  readonly origin: string
}

/**
 * Opens WalletConnect, with the session that is stored if there is one. It connects to the relay only: no
 * telemetry, no ping of nodes, and no attestation, which would load a frame from elsewhere and, where the content
 * security policy blocks that, hold back every request for five seconds.
 */
export async function openWalletConnect({ projectId, relayUrl, name, origin }: WalletConnectSite) {
  const provider = await UniversalProvider.init({
    projectId,
    ...(relayUrl === undefined ? {} : { relayUrl }),
    metadata: { name, description: name, url: origin, icons: [`${origin}/icon-192.png`] },
    storage: new WalletConnectStorage(),
    customStoragePrefix: STORAGE_PREFIX,
    telemetryEnabled: false,
    disableProviderPing: true,
    logger: 'silent',
  })
  const { verify } = provider.client.core
  verify.register = async () => ''
  // Wallets use it to identify an app; nothing asks this app. (`undefined` is allowed, although the type says otherwise.)
  verify.resolve = async () => undefined as never
  return provider
}

const PREFIX = `${STORAGE_PREFIX}.wc.`

/** WalletConnect's keys and sessions: in local storage under our prefix, or in memory where that is full. */
class WalletConnectStorage {
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
