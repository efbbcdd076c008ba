import { UniversalProvider } from '@walletconnect/universal-provider'
import { WalletConnectStorage } from './wallet-connect-storage.ts'
import { STORAGE_PREFIX } from './wallet-store.ts'

/** What the operator configured for WalletConnect, and what wallets show of the site that asks. */
export interface WalletConnectSite {
  readonly projectId: string
  /** The relay; WalletConnect's own where there is none. */
  readonly relayUrl: string | undefined
  readonly name: string
  readonly origin: string
}

/**
 * Opens WalletConnect, with the session that is stored if there is one. It speaks to the relay and to nobody else: no
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
  // It is for wallets to find out who asks; nobody asks us. (Nothing is a possible answer, though its type says not.)
  verify.resolve = async () => undefined as never
  return provider
}
