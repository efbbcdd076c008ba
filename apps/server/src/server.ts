import type { Database } from '@clearwell/ledger/database'
import type { FastifyInstance } from 'fastify'
import { ConfigError } from './config/config-error.ts'
import { hashConfigKeys } from './config/hash-config.ts'
import { featuresOf } from './features.ts'
import type { Config } from './load-config.ts'
import { openApp } from './open-app.ts'
import { OPERATOR_ACTIONS } from './operator-actions.ts'
import type { Custody } from './platform/chain/chain.ts'
import { type Composition, createComposition } from './platform/compose-features.ts'
import type { SolvencyGuard } from './platform/custody/solvency-guard.ts'
import type { Watcher } from './platform/custody/watcher.ts'
import { lockDataFolderWhenFree } from './platform/database/data-folder-lock.ts'
import type { People } from './platform/feature.ts'
import { FORWARDED_CALLS } from './platform/http/bind-calls.ts'
import { listen, refuseTakenPort } from './platform/http/listen.ts'
import { watchLateJobs } from './platform/jobs/late-jobs.ts'
import { partitionsJob } from './platform/ledger/partitions-job.ts'
import { type Log, SILENT_LOG } from './platform/log/log.ts'
import type { Report } from './platform/log/report.ts'
import { serveMetrics } from './platform/metrics/serve-metrics.ts'
import { type Observation, openObservation } from './platform/open-observation.ts'
import { type OpenPlatform, openPlatform } from './platform/open-platform.ts'
import { drainRequests } from './platform/operator/drain-requests.ts'
import { openPersons } from './platform/operator/open-persons.ts'
import { createDraining, type Draining } from './platform/process/draining.ts'
import { type Ending, endAll } from './platform/process/endings.ts'
import { VERSION } from './platform/process/version.ts'
import type { Readiness } from './platform/readiness.ts'
import { retentionJobs } from './platform/retention/retention-jobs.ts'
import { createLeadership, type Leadership } from './platform/servers/leadership.ts'
import { configDiffers } from './platform/servers/server-list.ts'
import type { Streams } from './platform/stream/stream.ts'
import type { Tracing } from './platform/tracing/tracing.ts'
import { watchParts } from './platform/watch-parts.ts'
import { ANNOUNCED_KEYS } from './rules.ts'
import { readinessOf } from './server-readiness.ts'
import { KEPT_ROWS, TABLES } from './tables.ts'

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
    announcedKeys: ANNOUNCED_KEYS,
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
  const app = await openApp(platform, composition, {
    ...base,
    apiOnly: options.apiOnly,
    graceMs: GRACE_MS,
    readiness,
    degraded,
    leadership,
  })
  const watches = [parts, ...watchesOf(platform, base)]
  endings.push(endingOfWork(platform, [...watches, composition], app))
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

/** Stops everything that works on its own, and closes the app when its requests in progress are finished. */
function endingOfWork(
  { jobs, notices, watcher, solvency }: OpenPlatform,
  others: readonly { stop(): unknown }[],
  app: FastifyInstance,
): Ending {
  return {
    what: 'requests and periodic work',
    withinMs: CLOSE_MS,
    async end() {
      const stopped = [jobs, ...others, notices, watcher, solvency].map((part) => part.stop())
      for (const part of await Promise.allSettled([...stopped, app.close()]))
        if (part.status === 'rejected') throw part.reason
    },
  }
}

/** Lists this server for the others of its ledger, and reports a configuration that differs from the leader's. */
async function enterServerList(
  { servers }: OpenPlatform,
  { url, config }: { url: string; config: Config },
  { endings, report }: Base,
): Promise<void> {
  await servers.enter(url, {
    config: hashConfigKeys(config),
    version: VERSION,
    calls: FORWARDED_CALLS,
    role: config.env.role,
  })
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
async function resumeAsLeader(platform: OpenPlatform<Config>, composition: Composition): Promise<void> {
  const { writer, onError } = platform
  async function onLeader(): Promise<void> {
    await openPersons(platform)
    await composition.onLeader()
  }
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

/** Serves the metrics, if the operator has not turned them off. */
async function openMetrics({ env }: Config, { metrics, endings, logEvent }: Base): Promise<string | undefined> {
  if (!env.metrics) return undefined
  const server = await serveMetrics(metrics, env.metrics)
  endings.push({ what: 'metrics', withinMs: 500, end: server.stop })
  logEvent('metrics_served', { url: server.url })
  return server.url
}
