import { DEMO_VISITOR_KEY } from '@clearwell/api/demo-visitor'
import { getConnection, watchConnection } from 'wagmi/actions'
import type { Config } from '../api/config.ts'
import { chainReads } from './chain-reads.ts'
import { followStoredConnection, resumeConnection } from './resume-connection.ts'
import { vaultCalls } from './vault-calls.ts'
import { walletChoices } from './wallet-choices.ts'
import { createWalletConfig } from './wallet-config.ts'
import { requiredChainKeeper, walletRequests } from './wallet-requests.ts'
import { hasStoredConnection, walletStore } from './wallet-store.ts'

/** All functions of a wallet. Every method rejects with the wallet's error; see `walletErrorText`. */
export type WalletCore = Awaited<ReturnType<typeof startWalletCore>>

/** Loaded on demand, only through `wallet()`. */
export async function startWalletCore(profile: Config) {
  const { chain: required } = profile
  if (profile.profile === 'local') {
    const { announceDemoWallets } = await import('./demo-wallet/demo-wallet.ts')
    announceDemoWallets({ chainId: required.id, rpcUrl: required.rpc_url }, profile.demo ? DEMO_VISITOR_KEY : undefined)
  }
  const own = await createWalletConfig(profile)
  const { config } = own
  const chain = { config, chainId: required.id }
  const keepOnRequiredChain = requiredChainKeeper(chain)
  let isResuming = hasStoredConnection()
  const publish = () => {
    const { status, address, chainId, connector } = getConnection(config)
    const isUnknown = isResuming && status === 'disconnected'
    walletStore.set({
      status,
      isResuming: isUnknown,
      address,
      chainId,
      connectorUid: connector?.uid,
      connectorName: connector?.name,
    })
    keepOnRequiredChain()
  }
  watchConnection(config, { onChange: publish })
  if (isResuming) await resumeConnection(own)
  isResuming = false
  publish()

  return {
    ...walletChoices(chain),
    ...chainReads(chain),
    ...walletRequests(chain),
    vaultCalls,

    /** Follows a change of the stored connection by another tab. */
    followOtherTab(): Promise<void> {
      return followStoredConnection(own)
    },
  }
}
