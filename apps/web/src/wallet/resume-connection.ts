import type { Config as WagmiConfig } from 'wagmi'
import { reconnect } from 'wagmi/actions'
import { rereadState, type WalletConfig } from './wallet-config.ts'
import { hasStoredConnection } from './wallet-store.ts'

/** How long a stored wallet may take to appear: some wallet apps put theirs into the page after it was loaded. */
const LATE_WALLET_MS = 3_000

const LOOK_EVERY_MS = 100

/**
 * Brings the stored connection back if its wallet still permits it: reconnecting, then connected. Only stored wallets
 * are asked, so one that was permitted once and is not in use is left alone. A wallet that permits nothing any more ends
 * the stored connection; one that does not appear leaves it for the next page load.
 */
export async function resumeConnection({ config, unstored }: WalletConfig): Promise<void> {
  const ids = new Set([...config.state.connections.values()].map(({ connector }) => connector.id))
  const { connectors, allAppeared } = await findAuthorized(config, ids)
  if (connectors.length > 0) await reconnect(config, { connectors })
  else if (allAppeared) disconnectHere(config)
  else unstored(() => disconnectHere(config))
}

/** Another tab changed the stored connection: follows it, after asking this page's own wallet. */
export async function followStoredConnection(wallet: WalletConfig): Promise<void> {
  const { config } = wallet
  const { status } = config.state
  // The user is choosing here, or the stored connection is already being brought back.
  if (status === 'connecting' || status === 'reconnecting') return
  if (!hasStoredConnection()) {
    if (status === 'connected') disconnectHere(config)
    return
  }
  if (status === 'connected') return readAccountsAgain(config)
  await rereadState(config)
  await resumeConnection(wallet)
}

function disconnectHere(config: WagmiConfig): void {
  config.setState((state) => ({ ...state, connections: new Map(), current: null, status: 'disconnected' }))
}

/** Stores only differences. Otherwise two tabs would react to each other for ever. */
async function readAccountsAgain({ state, _internal: { events } }: WagmiConfig): Promise<void> {
  const connection = state.connections.get(state.current ?? '')
  if (!connection) return
  const { uid } = connection.connector
  const accounts = await connection.connector.getAccounts().catch(() => connection.accounts)
  if (accounts.length === 0) events.disconnect({ uid } as Parameters<typeof events.disconnect>[0])
  else if (accounts[0] !== connection.accounts[0]) events.change({ uid, accounts })
}

async function findAuthorized(config: WagmiConfig, ids: ReadonlySet<string>) {
  const asked = new Set<string>()
  const untilMs = Date.now() + LATE_WALLET_MS
  for (;;) {
    const connectors = []
    for (const connector of config.connectors) {
      if (!ids.has(connector.id) || asked.has(connector.id)) continue
      if (!(await connector.getProvider().catch(() => undefined))) continue
      asked.add(connector.id)
      if (await connector.isAuthorized()) connectors.push(connector)
    }
    const allAppeared = asked.size === ids.size
    if (connectors.length > 0 || allAppeared || Date.now() >= untilMs) return { connectors, allAppeared }
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
}
