import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { SharedPart } from '@clearwell/api/config.routes'
import type { FastifyInstance } from 'fastify'
import { proofTokens } from './domain/proofs/proof-tokens.ts'
import { serveLedger } from './features/proof/serve-ledger.ts'
import { FEATURES } from './features.ts'
import type { Config } from './load-config.ts'
import { commandHandlers } from './platform/commands/command-outcome.ts'
import { createRunningCommands } from './platform/commands/running-commands.ts'
import type { Composition } from './platform/compose-features.ts'
import { createApp } from './platform/http/create-app.ts'
import { readBuildId } from './platform/http/read-build-id.ts'
import type { Observation } from './platform/open-observation.ts'
import type { OpenPlatform } from './platform/open-platform.ts'
import type { Draining } from './platform/process/draining.ts'
import type { PartState, Readiness } from './platform/readiness.ts'
import type { Leadership } from './platform/servers/leadership.ts'
import { rememberLeader } from './platform/servers/remember-leader.ts'
import { serveStream } from './platform/stream/serve-stream.ts'
import type { Tracing } from './platform/tracing/tracing.ts'
import { configHandlers, connectOrigins } from './public-config.ts'
import { createAnnounced, ruleHandlers } from './public-rules.ts'

const WEB_FOLDER = join(import.meta.dirname, '../../web/dist')

/** Parts that the app needs beside the platform and its features. */
interface AppParts extends Pick<Observation, 'observer'> {
  /** Serves the API alone. */
  readonly apiOnly: boolean | undefined
  /** Requests in progress may take this long when the app closes. */
  readonly graceMs: number
  readonly readiness: Readiness
  /** Names the shared parts that work only in part. */
  readonly degraded: () => SharedPart[]
  readonly leadership: Leadership
  readonly draining: Draining
  readonly tracing: Tracing | undefined
}

/** Builds the HTTP app of the opened features: their handlers, the stream, the web app, and the limits of the configuration. */
export async function openApp(
  platform: OpenPlatform<Config>,
  composition: Composition,
  { apiOnly = false, graceMs, readiness, degraded, leadership, draining, observer, tracing }: AppParts,
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
        rules: platform.rules,
        announced: createAnnounced({ db, clock }),
      }),
      ...ruleHandlers({ db }),
      ...commandHandlers({ db, writer, clock, running, outcomes: composition.outcomes, retentionDays }),
      ...composition.handlers,
    },
    groups: [
      { name: 'config', routes: ['config'] },
      { name: 'rules', routes: ['ruleChanges'] },
      { name: 'command', routes: ['commandOutcome'] },
      ...composition.groups,
    ],
    running,
    serveStream: (app) => serveStream(app, streams, sessions.find),
    serveLedger: ledgerPath(platform),
    findSession: sessions.find,
    peekSession: sessions.peek,
    failingParts: () => partsIn('failing', readiness),
    degradedParts: () => partsIn('degraded', readiness),
    isDraining: draining.isDraining,
    onAnswered: observer.onAnswered,
    tracing,
    reads: platform.reads,
    writing: { servers: rememberLeader(servers), isWriting, runHere, askLeader },
    verifyForwarded: platform.verifyForwarded,
    onlyForwarded: config.env.role === 'writer',
    onBug: (error, traceId) => platform.report(error, 'request', traceId),
    requestsPerMinute: config.rateLimit.perMinute,
    publicPerMinute: config.rateLimit.publicPerMinute,
    accountsPerAddress: config.rateLimit.accountsPerAddress,
    fileLimits: config.files,
    trustedProxies: config.env.trustedProxies,
    graceMs,
    webFolder: !apiOnly && existsSync(WEB_FOLDER) ? WEB_FOLDER : undefined,
    connectOrigins: connectOrigins(config, publicRpcUrl),
    productName: config.product.en,
    ...(config.env.profile === 'local' ? { onlyOwnOrigins: { publicUrl: config.env.publicUrl } } : {}),
  })
}

/** The bookkeepers of these headers read the ledger on any server. */
function ledgerPath({ config, db, custody }: OpenPlatform<Config>) {
  const tokens = config.env.bookkeepers.map(({ token }) => token)
  if (tokens.length === 0) return undefined
  const { vault, operator } = custody
  const head = { chainId: config.chain.id, vault, operator, tokens: proofTokens(custody) }
  return (app: FastifyInstance) => serveLedger(app, { db, head, tokens })
}

async function partsIn(state: PartState, readiness: Readiness): Promise<string[]> {
  return [...(await readiness.check())].flatMap(([part, found]) => (found === state ? [part] : []))
}
