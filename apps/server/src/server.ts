import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { SharedPart } from '@clearwell/api/config.routes'
import type { Database } from '@clearwell/ledger/database'
import type { FastifyInstance } from 'fastify'
import { ConfigError } from './config/config-error.ts'
import { hashConfigKeys } from './config/hash-config.ts'
import { FEATURES, featuresOf } from './features.ts'
import type { Config } from './load-config.ts'
import { OPERATOR_ACTIONS } from './operator-actions.ts'
import type { Custody } from './platform/chain/chain.ts'
import { commandHandlers } from './platform/commands/command-outcome.ts'
import { createRunningCommands } from './platform/commands/running-commands.ts'
import { type Composition, createComposition } from './platform/compose-features.ts'
import type { SolvencyGuard } from './platform/custody/solvency-guard.ts'
import type { Watcher } from './platform/custody/watcher.ts'
import { lockDataFolderWhenFree } from './platform/database/data-folder-lock.ts'
import type { People } from './platform/feature.ts'
import { createApp } from './platform/http/create-app.ts'
import { listen, refuseTakenPort } from './platform/http/listen.ts'
import { readBuildId } from './platform/http/read-build-id.ts'
import { watchLateJobs } from './platform/jobs/late-jobs.ts'
import { partitionsJob } from './platform/ledger/partitions-job.ts'
import { type Log, SILENT_LOG } from './platform/log/log.ts'
import type { Report } from './platform/log/report.ts'
import type { SpotSource } from './platform/market-data/spot-source.ts'
import { serveMetrics } from './platform/metrics/serve-metrics.ts'
import { type Observation, openObservation } from './platform/open-observation.ts'
import { type OpenPlatform, openPlatform } from './platform/open-platform.ts'
import { drainRequests } from './platform/operator/drain-requests.ts'
import { createDraining, type Draining } from './platform/process/draining.ts'
import { type Ending, endAll } from './platform/process/endings.ts'
import { createReadiness, type PartState, type Readiness } from './platform/readiness.ts'
import { retentionJobs } from './platform/retention/retention-jobs.ts'
import { createLeadership, type Leadership } from './platform/servers/leadership.ts'
import { configDiffers } from './platform/servers/server-list.ts'
import { serveStream } from './platform/stream/serve-stream.ts'
import type { Streams } from './platform/stream/stream.ts'
import type { Tracing } from './platform/tracing/tracing.ts'
import { watchParts } from './platform/watch-parts.ts'
import { configHandlers, connectOrigins } from './public-config.ts'
import { KEPT_ROWS, TABLES } from './tables.ts'

const WEB_FOLDER = join(import.meta.dirname, '../../web/dist')
const LEASE_TTL_MS = 3_000
/** A server that shuts down on the same data folder releases it within this time. */
const FOLDER_WAIT_MS = 10_000
/** The hand-over waits two seconds for commands in progress. */
const HAND_OVER_MS = 2_500
/** Requests in progress may take this long when the server ends: shorter than other servers wait for the next leader. */
const GRACE_MS = 5_000
/** Time to finish requests in progress and periodic work. */
const CLOSE_MS = GRACE_MS + 500

/** How a start may differ from the one of `npm start`. */
export interface StartOptions {
  /** Serves the API alone: the web app comes from Vite, or is not needed. */
  readonly apiOnly?: boolean
  /** Simulated people of the local profile: `demo/` has them. */
  readonly people?: (config: Config) => People
  /** Wraps the database: the test that kills the server at each of its steps. */
  readonly watchDatabase?: (db: Database) => Database
  /** Another server takes over after this long without a sign of life. Three seconds where absent. */
  readonly leaseTtlMs?: number
  /** Absent: nothing is logged. */
  readonly log?: Log
  /** Receives bugs and alarms beside the log, for tests. */
  readonly onError?: Report
  /** Time for the whole shutdown. Nine and a half seconds where absent. */
  readonly stopWithinMs?: number
  /** How long the start waits for a data folder that is in use. Ten seconds where absent. */
  readonly folderWaitMs?: number
  /** Sends spans of requests to a collector. It ends with the server. */
  readonly tracing?: Tracing | undefined
  /** Receives each stage of the start. */
  readonly onProgress?: (stage: string) => void
}

export interface RunningServer {
  readonly url: string
  readonly config: Config
  readonly db: Database
  readonly custody: Custody
  readonly rpcUrl: string
  readonly app: FastifyInstance
  readonly watcher: Watcher
  readonly solvency: SolvencyGuard
  readonly streams: Streams
  /** Where the metrics are read, unless the operator has turned them off. */
  readonly metricsUrl: string | undefined
  /**
   * Drains: `/readyz` fails, another server becomes the leader, and requests are still served. Then it takes no more requests,
   * finishes those in progress, and ends everything that the start began, in bounded time.
   *
   * @returns the parts that did not end in time.
   */
  stop(): Promise<readonly string[]>
  /** Ends a drain that is in progress, and goes on to the rest of the shutdown. Returns false if none is. */
  cutDrainShort(): boolean
}

/**
 * Starts the platform, opens the features, listens. If a step fails, everything before it ends again.
 *
 * @throws ConfigError, DataFolderInUse: one sentence for the operator.
 */
export async function startServer(config: Config, options: StartOptions): Promise<RunningServer> {
  const endings: Ending[] = []
  const { log = SILENT_LOG, tracing, stopWithinMs, onError: observe } = options
  const observation = openObservation(config, { log, observe })
  const { report } = observation
  if (tracing) endings.push({ what: 'tracing', withinMs: 500, end: tracing.stop })
  if (observation.webhook) endings.push({ what: 'alarm webhook', withinMs: 500, end: observation.webhook.stop })
  const draining = createDraining(config.env.drainMs)
  const end = () => endAll(endings.splice(0), { onError: report, ...(stopWithinMs ? { withinMs: stopWithinMs } : {}) })
  try {
    const { leadership, ...server } = await start(config, options, { ...observation, endings, draining, tracing })
    return {
      ...server,
      async stop() {
        // The endings wait for the rest of it, so a silent database does not hold up the drain.
        leadership?.handOver().catch((error: unknown) => report(error, 'hand-over'))
        await draining.run()
        return end()
      },
      cutDrainShort: draining.cutShort,
    }
  } catch (error) {
    await end()
    throw error
  }
}

/** The parts that exist before anything is opened. */
interface Base extends Observation {
  readonly endings: Ending[]
  readonly draining: Draining
  readonly tracing: Tracing | undefined
}

interface StartedServer extends Omit<RunningServer, 'stop' | 'cutDrainShort'> {
  /** Absent where no other server can share the ledger. */
  readonly leadership: Leadership | undefined
}

async function start(given: Config, options: StartOptions, base: Base): Promise<StartedServer> {
  const people = options.people?.(given)
  const config = withPeople(given, people)
  const { env } = config
  const { endings, report, logEvent } = base
  const { onProgress = () => {} } = options
  // A server that shuts down on the same folder still has the port: the folder comes first.
  const unlock = await lockDataFolderWhenFree(env.dataDir, {
    waitMs: options.folderWaitMs ?? FOLDER_WAIT_MS,
    onWait: onProgress,
  })
  endings.push({ what: 'data folder', isLock: true, end: unlock })
  await refuseTakenPort(env.port)
  const composition = createComposition()
  let port = env.port
  let readiness: Readiness | undefined
  const platform = await openPlatform(config, {
    ...base,
    composition,
    tables: TABLES,
    app: () => app,
    readiness: async () => (await readiness?.check()) ?? new Map(),
    publicUrl: () => env.publicUrl ?? `http://127.0.0.1:${port}`,
    leaseTtlMs: options.leaseTtlMs ?? LEASE_TTL_MS,
    startsBackMs: people?.startsBackMs,
    watchDatabase: options.watchDatabase,
    onError: report,
    onProgress,
  })
  onProgress('opening the features')
  await composition.open(featuresOf(env.profile, people), platform)
  const afterEach = composition.afterOperatorAction
  const requests = drainRequests({ ...platform, actions: OPERATOR_ACTIONS, afterEach, logEvent })
  platform.jobs.add([partitionsJob, ...retentionJobs({ tables: TABLES, kept: KEPT_ROWS, config }), requests])
  await resumeAsLeader(platform, composition)

  const state = { isListed: false }
  readiness = readinessOf(platform, composition, { ...base.draining, isListed: () => state.isListed })
  const leadership = createLeadership(platform)
  const parts = watchParts(readiness, logEvent)
  const { degraded } = parts
  const app = await openApp(platform, composition, { ...options, readiness, degraded, leadership, base })
  const watches = [parts, ...watchesOf(platform, base)]
  endings.push({
    what: 'requests and periodic work',
    withinMs: CLOSE_MS,
    async end() {
      const { jobs, notices, watcher, solvency } = platform
      const stopped = [...watches, jobs, composition, notices, watcher, solvency].map((part) => part.stop())
      for (const part of await Promise.allSettled([...stopped, app.close()]))
        if (part.status === 'rejected') throw part.reason
    },
  })
  for (const { fillDemo } of composition.local) await fillDemo?.(onProgress)
  port = await listen(app, { port, host: env.host })
  const url = `http://127.0.0.1:${port}`
  logEvent('server_listening', { url })
  if (platform.db.kind === 'postgres') {
    await enterServerList(platform, { url: env.serverUrl ?? url, config: given }, base)
    state.isListed = true
  }
  const metricsUrl = await openMetrics(config, base)
  await composition.start()
  await startPeriodicWork(platform)
  for (const watch of watches) watch.start()
  if (state.isListed) endings.push({ what: 'hand-over', withinMs: HAND_OVER_MS, end: leadership.handOver })
  const shared = state.isListed ? leadership : undefined
  return { ...platform, url, app, metricsUrl, leadership: shared }
}

/** Lists this server for the others of its ledger, and reports a configuration that differs from the leader's. */
async function enterServerList(
  { servers }: OpenPlatform,
  { url, config }: { url: string; config: Config },
  { endings, report }: Base,
): Promise<void> {
  await servers.enter(url, hashConfigKeys(config))
  endings.push({ what: 'server list', withinMs: 500, end: servers.leave })
  const difference = await configDiffers(servers)
  if (difference !== undefined) report(new Error(difference), 'configuration')
}

/** @throws ConfigError outside the local profile. */
function withPeople(config: Config, people: People | undefined): Config {
  if (!people) return config
  if (config.env.profile !== 'local') throw new ConfigError('Simulated people exist in the local profile only.')
  return { ...config, operatorAccounts: [...config.operatorAccounts, ...people.operatorAccounts] }
}

/** Resumes what an earlier leader left unfinished: now, before anyone can ask for it, and whenever this server takes over. */
async function resumeAsLeader({ writer, onError }: OpenPlatform, { onLeader }: Composition): Promise<void> {
  if (writer.isWriting) await onLeader()
  writer.onLeaseTaken(() => void onLeader().catch((error) => onError(error, 'taking over')))
}

async function startPeriodicWork({ watcher, solvency, jobs, notices, databaseWatch }: OpenPlatform): Promise<void> {
  watcher.start()
  solvency.start()
  jobs.start()
  databaseWatch.start()
  await notices.start()
}

/** Write to the log without being asked: parts up and down, and jobs that are late. */
function watchesOf({ db, clock, writer }: OpenPlatform, { logEvent, report }: Base) {
  const isLeader = () => writer.isWriting
  return [watchLateJobs({ db, clock, isLeader, logEvent, onError: report })]
}

/** The parts of this server, and those that all servers share: `GET /readyz` names the ones that do not work. */
function readinessOf(
  { config, db, client, gate, isChainRunning, watcher, writer, spot }: OpenPlatform<Config>,
  composition: Composition,
  { isDraining, isListed }: { readonly isDraining: () => boolean; readonly isListed: () => boolean },
): Readiness {
  return createReadiness([
    { name: 'server', isOk: () => !isDraining() },
    { name: 'database', probe: () => db.query('select 1') },
    {
      name: 'chain',
      isShared: true,
      isOk: () => isChainRunning() && gate.isOpen,
      probe: () => client.getChainId(),
      patienceMs: config.chain.nodeAwayMs,
    },
    { name: 'watcher', isOk: () => watcher.halted === undefined },
    { name: 'market', isShared: true, isOk: () => hasAllPrices(spot.source) },
    // A server that does not write forwards commands, once the others can find it.
    { name: 'ledger', isOk: () => !writer.isFailing && (writer.isWriting || isListed()) },
    { name: 'features', isOk: () => composition.fault() === undefined },
    ...composition.services,
  ])
}

/** Returns whether two sources agree on each price that money can use. */
function hasAllPrices({ symbols, quote }: SpotSource): boolean {
  return [...symbols].every((symbol) => ['fresh', 'apart'].includes(quote(symbol)?.state ?? 'unknown'))
}

async function partsIn(state: PartState, readiness: Readiness): Promise<string[]> {
  return [...(await readiness.check())].flatMap(([part, found]) => (found === state ? [part] : []))
}

/** Serves the metrics, if the operator has not turned them off. */
async function openMetrics({ env }: Config, { metrics, endings, logEvent }: Base): Promise<string | undefined> {
  if (!env.metrics) return undefined
  const server = await serveMetrics(metrics, env.metrics)
  endings.push({ what: 'metrics', withinMs: 500, end: server.stop })
  logEvent('metrics_served', { url: server.url })
  return server.url
}

async function openApp(
  platform: OpenPlatform<Config>,
  composition: Composition,
  {
    apiOnly = false,
    readiness,
    degraded,
    leadership,
    base,
  }: {
    apiOnly?: boolean
    readiness: Readiness
    degraded: () => SharedPart[]
    leadership: Leadership
    base: Base
  },
): Promise<FastifyInstance> {
  const { config, db, custody, clock, writer, servers, sessions, streams, publicRpcUrl, askLeader } = platform
  const { isLeading: isWriting, runHere } = leadership
  const build = apiOnly ? 'development' : await readBuildId(WEB_FOLDER)
  const features = FEATURES.map(({ name }) => name)
  const running = createRunningCommands()
  const retentionDays = config.retention.answersDays
  const hasDemo = () => composition.local.some((each) => each.hasDemo?.() ?? false)
  return createApp({
    handlers: {
      ...configHandlers({
        config,
        custody,
        rpcUrl: publicRpcUrl,
        build,
        clock,
        features,
        hasDemo,
        degraded,
      }),
      ...commandHandlers({ db, writer, clock, running, outcomes: composition.outcomes, retentionDays }),
      ...composition.handlers,
    },
    groups: [
      { name: 'config', routes: ['config'] },
      { name: 'command', routes: ['commandOutcome'] },
      ...composition.groups,
    ],
    running,
    serveStream: (app) => serveStream(app, streams, sessions.find),
    findSession: sessions.find,
    peekSession: sessions.peek,
    failingParts: () => partsIn('failing', readiness),
    degradedParts: () => partsIn('degraded', readiness),
    isDraining: base.draining.isDraining,
    onAnswered: base.observer.onAnswered,
    tracing: base.tracing,
    writing: { servers, isWriting, runHere, askLeader },
    verifyForwarded: platform.verifyForwarded,
    onBug: (error, traceId) => platform.report(error, 'request', traceId),
    requestsPerMinute: config.rateLimit.perMinute,
    publicPerMinute: config.rateLimit.publicPerMinute,
    accountsPerAddress: config.rateLimit.accountsPerAddress,
    fileLimits: config.files,
    trustedProxies: config.env.trustedProxies,
    graceMs: GRACE_MS,
    webFolder: !apiOnly && existsSync(WEB_FOLDER) ? WEB_FOLDER : undefined,
    connectOrigins: connectOrigins(config, publicRpcUrl),
    productName: config.product.en,
    ...(config.env.profile === 'local' ? { onlyOwnOrigins: { publicUrl: config.env.publicUrl } } : {}),
  })
}
