import { createHash } from 'node:crypto'
import type { PlatformConfig } from '../../config/platform-config.ts'
import { type HeaderSigner, makeDueHeader } from '../../domain/proofs/make-headers.ts'
import type { ProofSettings } from '../../domain/proofs/proof-books.ts'
import { createProofThread, type ProofThread } from '../../domain/proofs/proof-thread.ts'
import { proofTokens } from '../../domain/proofs/proof-tokens.ts'
import type { HeaderMaking } from '../../domain/proofs/signed-roots.ts'
import type { Custody } from '../../platform/chain/chain.ts'
import type { Recorder } from '../../platform/metrics/metrics.ts'
import type { Platform } from '../../platform/platform.ts'
import { rootAccount } from '../../platform/signer/proof-keys.ts'
import { type Repeated, repeat } from '../../platform/time/repeat.ts'
import { type BookkeeperLink, createBookkeeperLink } from './ask-bookkeeper.ts'
import type { proofMetrics } from './proof.metrics.ts'

/** A header is due once a second at most. */
const EVERY_MS = 1_000

/** The same for so many runs after a transfer out has begun to wait, in milliseconds: the bookkeeper reads each second, at its own time. */
const HURRIED_MS = 100
const HURRIED_RUNS = 50

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
  readonly port: HeaderMaking
  /** False while a header waits for the bookkeeper for over a minute; absent where none is configured. */
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
  const bookkeeper = openBookkeeper(deps, recorder)
  const askBookkeeper = bookkeeper?.ask
  let isStopping = false
  let hurriedRuns = 0
  const listeners: (() => void)[] = []
  const making = repeat({
    everyMs: EVERY_MS,
    gapMs: HURRIED_MS,
    async run() {
      if (!writer.isWriting) return
      const signed = await makeDueHeader({ db, writer, clock, chainId, signer, askBookkeeper, make: thread.make })
      if (signed !== undefined) for (const listener of listeners) listener()
      if (hurriedRuns-- > 0) making.wake()
    },
    // A header that the stop has interrupted is made by the next leader.
    onError: (error) => isStopping || onError(error, 'proof headers'),
  })
  return {
    signer,
    settings,
    making,
    port: {
      hurry() {
        hurriedRuns = HURRIED_RUNS
        making.wake()
      },
      onSigned: (listener) => void listeners.push(listener),
    },
    hasBookkeeper: bookkeeper && (() => !writer.isWriting || bookkeeper.waitingSeconds() < PATIENCE_S),
    prove: thread.prove,
    async stop() {
      isStopping = true
      await thread.stop()
      await making.stop()
    },
  }
}

/** Returns nothing where no bookkeeper is configured. */
function openBookkeeper(
  { config, clock, writer, metrics, onError }: Pick<Platform, 'config' | 'clock' | 'writer' | 'metrics' | 'onError'>,
  recorder: Recorder<typeof proofMetrics>,
): BookkeeperLink | undefined {
  const { bookkeeper } = config.env
  if (!bookkeeper) return undefined
  const onRefused = () => recorder.count('clearwell_bookkeeper_refusals_total', {})
  const link = createBookkeeperLink(bookkeeper, { clock, onError, onRefused })
  metrics.onCollect(() =>
    recorder.set(
      'clearwell_header_waiting_seconds',
      writer.isWriting ? [{ labels: {}, value: link.waitingSeconds() }] : [],
    ),
  )
  return link
}

/** The key that signs headers now. */
export function rootSigner(config: Pick<PlatformConfig, 'env'>): HeaderSigner {
  const account = rootAccount(config)
  return { address: account.address, sign: (hash) => account.sign({ hash }) }
}

function proofSettings({ chain, env }: PlatformConfig, custody: Custody): ProofSettings {
  return {
    domain: { chainId: chain.id, vault: custody.vault },
    tokens: proofTokens(custody),
    dataSecret: Buffer.from(env.proofDataKey ?? localKey('data')),
  }
}
