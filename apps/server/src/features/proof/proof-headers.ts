import { createHash } from 'node:crypto'
import { privateKeyToAccount } from 'viem/accounts'
import type { PlatformConfig } from '../../config/platform-config.ts'
import { type HeaderSigner, makeDueHeader } from '../../domain/proofs/make-headers.ts'
import type { ProofSettings } from '../../domain/proofs/proof-books.ts'
import { createProofThread, type ProofThread } from '../../domain/proofs/proof-thread.ts'
import { proofTokens } from '../../domain/proofs/proof-tokens.ts'
import type { Custody } from '../../platform/chain/chain.ts'
import type { Recorder } from '../../platform/metrics/metrics.ts'
import type { Platform } from '../../platform/platform.ts'
import { type Repeated, repeat } from '../../platform/time/repeat.ts'
import { type BookkeeperLink, createBookkeeperLink } from './ask-bookkeeper.ts'
import type { proofMetrics } from './proof.metrics.ts'

/** A header is due once a second at most. */
const EVERY_MS = 1_000

/** A header that waits longer makes the servers degraded, in seconds. */
const PATIENCE_S = 60

/** The keys of the local profile. Everyone knows them. */
const localKey = (what: string) => createHash('sha256').update(`clearwell local proof ${what}`).digest()

/** Makes the headers of this server while it is the leader. */
export interface ProofHeaders {
  /** The address that signs. */
  readonly signer: HeaderSigner
  readonly settings: ProofSettings
  readonly making: Repeated
  /** False while a header waits for a bookkeeper for over a minute; absent where none is configured. */
  readonly hasBookkeeper: (() => boolean) | undefined
  /** Returns leaf and path of a place in a header. */
  readonly prove: ProofThread['prove']
  stop(): Promise<void>
}

export function createProofHeaders(
  deps: Pick<Platform, 'config' | 'db' | 'writer' | 'clock' | 'custody' | 'metrics' | 'onError'>,
  recorder: Recorder<typeof proofMetrics>,
): ProofHeaders {
  const { config, db, writer, clock, custody, onError } = deps
  const chainId = config.chain.id
  const settings = proofSettings(config, custody)
  const source = { chainId, vault: custody.vault.toLowerCase(), operator: custody.operator }
  const thread = createProofThread({ settings, source, databaseUrl: config.env.databaseUrl, db })
  const signer = rootSigner(config)
  const bookkeepers = openBookkeepers(deps, recorder)
  const askBookkeeper = bookkeepers?.ask
  let isStopping = false
  const making = repeat({
    everyMs: EVERY_MS,
    async run() {
      if (writer.isWriting)
        await makeDueHeader({ db, writer, clock, chainId, signer, askBookkeeper, make: thread.make })
    },
    // A header that the stop has interrupted is made by the next leader.
    onError: (error) => isStopping || onError(error, 'proof headers'),
  })
  return {
    signer,
    settings,
    making,
    hasBookkeeper: bookkeepers && (() => !writer.isWriting || bookkeepers.waitingSeconds() < PATIENCE_S),
    prove: thread.prove,
    async stop() {
      isStopping = true
      await thread.stop()
      await making.stop()
    },
  }
}

/** Returns nothing where no bookkeeper is configured. */
function openBookkeepers(
  { config, clock, writer, metrics, onError }: Pick<Platform, 'config' | 'clock' | 'writer' | 'metrics' | 'onError'>,
  recorder: Recorder<typeof proofMetrics>,
): BookkeeperLink | undefined {
  const { bookkeepers } = config.env
  if (bookkeepers.length === 0) return undefined
  const onRefused = (bookkeeper: string) => recorder.count('clearwell_bookkeeper_refusals_total', { bookkeeper })
  const link = createBookkeeperLink(bookkeepers, { clock, onError, onRefused })
  // From 0 on, so that Prometheus sees the first one.
  for (const { address } of bookkeepers)
    recorder.count('clearwell_bookkeeper_refusals_total', { bookkeeper: address }, 0)
  metrics.onCollect(() => {
    recorder.set(
      'clearwell_header_waiting_seconds',
      writer.isWriting ? [{ labels: {}, value: link.waitingSeconds() }] : [],
    )
    const away = link.awaySeconds().map(({ address, seconds }) => ({ labels: { bookkeeper: address }, value: seconds }))
    recorder.set('clearwell_bookkeeper_away_seconds', writer.isWriting ? away : [])
  })
  return link
}

/** The key that signs headers now. */
export function rootSigner({ env }: Pick<PlatformConfig, 'env'>): HeaderSigner {
  const account = privateKeyToAccount(env.proofRootKey ?? `0x${localKey('root').toString('hex')}`)
  return { address: account.address, sign: (hash) => account.sign({ hash }) }
}

function proofSettings({ chain, env }: PlatformConfig, custody: Custody): ProofSettings {
  return {
    domain: { chainId: chain.id, vault: custody.vault },
    tokens: proofTokens(custody),
    dataSecret: Buffer.from(env.proofDataKey ?? localKey('data')),
  }
}
