import type { Database } from '@clearwell/ledger/database'
import type { Writer } from '@clearwell/ledger/writer'
import type { PlatformConfig } from '../config/platform-config.ts'
import type { Custody } from './chain/chain.ts'
import { type ChainGate, createChainGate, gatedChain, passAtStart } from './chain/chain-gate.ts'
import { refuseMissingVault, refuseWrongTokens } from './chain/check-tokens.ts'
import { refuseOtherKind, refuseUnfitTokens } from './chain/check-vault-kind.ts'
import { type ConnectedChain, connectChain } from './chain/connect-chain.ts'
import { NodeError } from './chain/node-error.ts'
import { otherVault, readWatchedVault, refuseReplacedVault } from './custody/watched-vault.ts'
import { refuseHalfRestored } from './ledger/restores.ts'
import type { LogEvent } from './log/log.ts'
import type { PlatformEvents } from './log/platform-events.ts'
import type { Report } from './log/report.ts'
import type { PlatformObserver } from './metrics/observe-platform.ts'
import type { Ending } from './process/endings.ts'
import { refuseCapsAboveVault, signerAccount, signerAssets } from './signer/open-signer.ts'
import type { Clock } from './time/clock.ts'

/**
 * Connects to the chain. Nothing of it is used before its contracts are those of the configuration: without a node this is
 * found out when one answers.
 *
 * @throws ConfigError if the chain, the ledger's vault or a contract is another one than the configuration's.
 */
export async function openGatedChain(
  config: PlatformConfig,
  parts: {
    readonly rpcUrls: readonly string[]
    readonly db: Database
    readonly custody: Custody
    readonly clock: Clock
  },
  {
    endings,
    observer,
    logEvent,
    onError,
  }: {
    readonly endings: Ending[]
    readonly observer: PlatformObserver
    readonly logEvent: LogEvent<PlatformEvents>
    readonly onError: Report
  },
): Promise<Omit<ConnectedChain, 'isAnswering'> & { readonly gate: ChainGate }> {
  const { rpcUrls, db, custody, clock } = parts
  const chainId = config.chain.id
  refuseUnfitTokens(custody)
  const { chain, client, visitorClient, isAnswering } = await connectChain(config, {
    rpcUrls,
    custody,
    now: () => clock.now(),
    signer: signerAccount(config).address,
    onAlarm: (error) => onError(error, 'chain'),
    observeNode: observer.observeNode,
  })
  const vault = custody.vault.toLowerCase()
  const known = await readWatchedVault(db, chainId)
  if (known && known.vault !== vault) throw otherVault(known.vault, { chainId, vault })
  const checks = async () => {
    await refuseMissingVault(client, custody)
    await refuseOtherKind(client, custody)
    await refuseWrongTokens(client, custody)
    await refuseCapsAboveVault(client, custody, signerAssets(config, custody))
  }
  const silence = isAnswering ? undefined : new NodeError('no node at CHAIN_RPC_URL answers', { isNoResponse: true })
  const gate = createChainGate(checks, onError, silence)
  gate.whenOpen(() => logEvent('chain_opened', { chain_id: chainId, vault: custody.vault }))
  await passAtStart(gate)
  gate.start()
  // Not awaited: a silent node would delay the shutdown.
  endings.push({ what: 'chain', end: async () => void gate.stop() })
  return { client, visitorClient, chain: gatedChain(chain, gate), gate }
}

/** Binds the ledger to its vault. A new ledger waits until the vault is known to exist: it cannot be bound to another one. */
export async function bindVault(
  {
    db,
    writer,
    custody,
    gate,
    onError,
  }: {
    readonly db: Database
    readonly writer: Writer
    readonly custody: Custody
    readonly gate: ChainGate
    readonly onError: Report
  },
  chainId: number,
): Promise<void> {
  await refuseHalfRestored(db)
  const bind = () => refuseReplacedVault({ db, writer }, { chainId, vault: custody.vault })
  if (gate.isOpen || (await readWatchedVault(db, chainId))) return bind()
  gate.whenOpen(() => void bind().catch((error: unknown) => onError(error, 'chain refused')))
}
