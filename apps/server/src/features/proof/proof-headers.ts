import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { PlatformConfig } from '../../config/platform-config.ts'
import { type HeaderSigner, isCursorRecent, makeDueHeader } from '../../domain/proofs/make-headers.ts'
import type { ProofSettings } from '../../domain/proofs/proof-books.ts'
import { createProofThread, type ProofThread } from '../../domain/proofs/proof-thread.ts'
import { proofTokens } from '../../domain/proofs/proof-tokens.ts'
import type { HeaderMaking } from '../../domain/proofs/signed-roots.ts'
import type { Custody } from '../../platform/chain/chain.ts'
import { readCursor } from '../../platform/custody/chain-cursors.ts'
import { noteSilence } from '../../platform/ledger/repayment-stop.ts'
import type { Recorder } from '../../platform/metrics/metrics.ts'
import type { Platform } from '../../platform/platform.ts'
import { rootAccount } from '../../platform/signer/proof-keys.ts'
import { repeat } from '../../platform/time/repeat.ts'
import { type BookkeeperLink, createBookkeeperLink } from './ask-bookkeeper.ts'
import { createHeaderWatch, type HeaderWatch } from './header-watch.ts'
import type { proofMetrics } from './proof.metrics.ts'

/** A header is due once a second at most. */
const EVERY_MS = 1_000

/** A header is made each ten minutes at least, in seconds, with a minute to sign it. */
const RENEWED_S = 660
const RENEW_TURNS = 100
/** A header is posted this long after the last one, in seconds. */
const POSTED_S = 3_600
const RENEW_EVERY_MS = 100

/** A local chain makes no block without a transaction, and headers need a recent one. In milliseconds. */
const IDLE_MS = 600_000

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
  readonly port: HeaderMaking
  /** False while a header waits for a bookkeeper for over a minute; absent where none is configured. */
  readonly hasBookkeeper: (() => boolean) | undefined
  /** False while trading is stopped because the header that an exit pays by is old. */
  readonly isRecent: () => boolean
  /** Of the local profile: after an advance of the clock, waits a moment until a header of the new time is signed, and on the chain. */
  renew(): Promise<void>
  start(): void
  /** Returns leaf and path of a place in a header. */
  readonly prove: ProofThread['prove']
  /** Returns the root of a header's positions tree and the places of leaves in it. */
  readonly provePositions: ProofThread['provePositions']
  stop(): Promise<void>
}

export function createProofHeaders(
  deps: Pick<Platform, 'config' | 'db' | 'writer' | 'clock' | 'custody' | 'metrics' | 'onError' | 'local'>,
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
  const watch = watchHeaders(deps, recorder)
  let [isStarted, isStopping] = [false, false]
  let hurriedRuns = 0
  const listeners: (() => void)[] = []
  const posters: (() => Promise<void>)[] = []
  const holds: (() => Promise<boolean>)[] = []
  const makeHeader = async () => {
    for (const isHeld of holds) if (await isHeld()) return
    const signed = await makeDueHeader({
      ...{ db, writer, clock, chainId, signer, askBookkeeper, make: thread.make },
      rootsCount: custody.kind === 'exits',
    })
    if (signed !== undefined) for (const listener of listeners) listener()
  }
  const making = repeat({
    everyMs: EVERY_MS,
    gapMs: HURRIED_MS,
    async run() {
      await mineWhenIdle(deps)
      if (writer.isWriting) await makeHeader()
      await lookAtAge(watch, writer, { notes: deps.local === undefined })
      if (hurriedRuns > 0 && writer.isWriting) making.wake()
      hurriedRuns = Math.max(0, hurriedRuns - 1)
    },
    // A header that the stop has interrupted is made by the next leader.
    onError: (error) => isStopping || onError(error, 'proof headers'),
  })
  return {
    signer,
    settings,
    port: portOf({ listeners, holds, posters }, () => {
      hurriedRuns = HURRIED_RUNS
      making.wake()
    }),
    hasBookkeeper: bookkeepers && (() => !writer.isWriting || bookkeepers.waitingSeconds() < PATIENCE_S),
    isRecent: watch.isRecent,
    renew: renewal({
      ...{ clock, writer, watch, makeHeader, posters },
      mayMake: async () => isStarted && !isStopping && (await isCursorRecent({ db, clock, chainId })),
    }),
    start() {
      isStarted = true
      making.start()
    },
    ...{ prove: thread.prove, provePositions: thread.provePositions },
    async stop() {
      isStopping = true
      await thread.stop()
      await making.stop()
    },
  }
}

/** Has a header of a moved clock signed and posted: see {@link ProofHeaders.renew}. */
function renewal({
  clock,
  writer,
  watch,
  makeHeader,
  posters,
  mayMake,
}: Pick<Platform, 'clock' | 'writer'> & {
  readonly watch: HeaderWatch
  readonly makeHeader: () => Promise<void>
  readonly posters: readonly (() => Promise<void>)[]
  readonly mayMake: () => Promise<boolean>
}): ProofHeaders['renew'] {
  /** When nothing was signed in time, by the clock. An advance asks twice, and waits once. */
  let gaveUpMs = Number.NEGATIVE_INFINITY
  return async () => {
    if (clock.now().getTime() - gaveUpMs < RENEWED_S * 1_000) return
    for (let turn = 0; turn < RENEW_TURNS; turn++) {
      if (!(await mayMake())) return
      await makeHeader()
      // Raises no alarm: the header of the new time may only just be on its way.
      await watch.check(false)
      if ((watch.signedAgeSeconds() ?? 0) < RENEWED_S) {
        if ((watch.ageSeconds() ?? 0) >= POSTED_S) for (const post of posters) await post()
        return lookAtAge(watch, writer, { notes: true })
      }
      await wait(RENEW_EVERY_MS)
    }
    gaveUpMs = clock.now().getTime()
    await lookAtAge(watch, writer, { notes: true })
  }
}

/**
 * Reads the age of the header that counts, and notes one of over a day.
 *
 * @param of.notes false in the loop of the local profile: an advance of its clock is no silence, and `renew` knows whether a header
 * follows it.
 */
async function lookAtAge(
  watch: HeaderWatch,
  writer: Platform['writer'],
  { notes }: { readonly notes: boolean },
): Promise<void> {
  await watch.check(writer.isWriting)
  if (notes && writer.isWriting && watch.isDayOld()) await writer.execute(noteSilence({ sinceStart: false }))
}

/** Watches the age of the header that counts, and gives it to the metrics. */
function watchHeaders(
  { db, clock, writer, metrics, onError }: Pick<Platform, 'db' | 'clock' | 'writer' | 'metrics' | 'onError'>,
  recorder: Recorder<typeof proofMetrics>,
): HeaderWatch {
  const watch = createHeaderWatch(db, clock, onError)
  metrics.onCollect(() => {
    const value = writer.isWriting ? watch.ageSeconds() : undefined
    recorder.set('clearwell_header_age_seconds', value === undefined ? [] : [{ labels: {}, value }])
  })
  return watch
}

async function mineWhenIdle({
  config,
  db,
  clock,
  writer,
  local,
}: Pick<Platform, 'config' | 'db' | 'clock' | 'writer' | 'local'>): Promise<void> {
  if (!local || !writer.isWriting) return
  const cursor = await readCursor(db, config.chain.id)
  const now = clock.now()
  if (cursor && now.getTime() - cursor.time.getTime() > IDLE_MS) await local.chain.moveTo(now)
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

function portOf(
  of: {
    readonly listeners: (() => void)[]
    readonly holds: (() => Promise<boolean>)[]
    readonly posters: (() => Promise<void>)[]
  },
  hurry: () => void,
): HeaderMaking {
  return {
    hurry,
    onSigned: (listener) => void of.listeners.push(listener),
    holdWhile: (isHeld) => void of.holds.push(isHeld),
    onRenewed: (post) => void of.posters.push(post),
  }
}
