import type { BrowserContext, Page } from '@playwright/test'
import { LOCAL_CHAIN_ID } from './chain.ts'
import { connectorIdOf } from './offer-provider.ts'
import type { SigningWallet } from './signing-wallet.ts'
import { signInByAccount } from './trader.ts'

/**
 * Signs a wallet's account in through the API, and stores in the browser what the app stores at a sign-in: the session, and
 * the wallet's connection and permission. The next page is signed in, as after a reload. This takes half of the
 * processor time of the sheets, which `first-swap.test.ts`, `network.test.ts` and the rows of section 4 show.
 *
 * @param baseURL the server; the shared one if omitted.
 */
export async function leaveSession(
  target: Page | BrowserContext,
  { account, name }: SigningWallet,
  baseURL?: string,
): Promise<void> {
  const { token, user } = await signInByAccount(account, baseURL === undefined ? {} : { baseURL })
  const connector = { id: connectorIdOf(name), name, type: 'injected', uid: 'earlier' }
  const connection = { accounts: [account.address], chainId: LOCAL_CHAIN_ID, connector }
  const connections = { __type: 'Map', value: [[connector.uid, connection]] }
  const state = { connections, chainId: LOCAL_CHAIN_ID, current: connector.uid }
  const items = {
    'clearwell.token': token,
    'clearwell.user': JSON.stringify(user),
    'clearwell.address': account.address,
    'clearwell.recentConnectorId': JSON.stringify(connector.id),
    'clearwell.store': JSON.stringify({ state, version: 2 }),
    [`${name} is permitted`]: 'yes',
    // The marker of this function.
    [STORED]: 'yes',
  }
  await target.addInitScript(storeOnce, { items, marker: STORED })
}

const STORED = 'an earlier session was stored'

/** Runs in each page before its scripts: a session that has ended since must not return. */
function storeOnce({ items, marker }: { items: Readonly<Record<string, string>>; marker: string }): void {
  // The empty page of a new tab has no storage.
  if (!location.protocol.startsWith('http') || localStorage.getItem(marker) !== null) return
  for (const [key, value] of Object.entries(items)) localStorage.setItem(key, value)
}
