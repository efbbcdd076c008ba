import { hostname } from 'node:os'
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { ConfigError } from './config/config-error.ts'
import { hashConfig } from './config/hash-config.ts'
import { type Config, loadOwnConfig } from './load-config.ts'
import { DataFolderInUse } from './platform/database/data-folder-lock.ts'
import { createLog, type LogEvent } from './platform/log/log.ts'
import { type PlatformEvents, platformEvents } from './platform/log/platform-events.ts'
import { secretRemover } from './platform/log/secrets.ts'
import { endOnSignals } from './platform/process/end-on-signals.ts'
import { BUILD, VERSION } from './platform/process/version.ts'
import type { TracingOptions } from './platform/tracing/open-tracing.ts'
import type { Tracing } from './platform/tracing/tracing.ts'
import { type RunningServer, type StartOptions, startServer } from './server.ts'

type ProcessOptions = Pick<StartOptions, 'apiOnly' | 'people'>

/**
 * Runs a server as this process, until a signal ends it. The start is shown on stdout, and the log goes to stderr.
 *
 * @param readOptions reads the command line, and may throw a `ConfigError`.
 */
export async function runServer(readOptions: () => ProcessOptions): Promise<RunningServer> {
  try {
    return await run(await loadOwnConfig(), readOptions())
  } catch (error) {
    if (!isForOperator(error)) throw error
    console.error(error.message)
    process.exit(1)
  }
}

/** @throws ConfigError for an unknown option of the command line, or a value where none belongs. */
export function readWords<const Options extends ParseArgsOptionsConfig>(options: Options) {
  try {
    return parseArgs({ args: process.argv.slice(2), options }).values
  } catch (error) {
    throw new ConfigError((error as Error).message)
  }
}

/** A fault that the operator can fix is one sentence. Anything else is a bug and keeps its trace. */
function isForOperator(error: unknown): error is Error {
  return error instanceof ConfigError || error instanceof DataFolderInUse
}

async function run(config: Config, options: ProcessOptions): Promise<RunningServer> {
  const { env } = config
  const isTerminal = process.stderr.isTTY === true
  const startedMs = performance.now()
  const origin = { version: VERSION, host: hostname(), pid: process.pid }
  const log = createLog({ level: env.logLevel, redact: secretRemover(env), origin, isTerminal })
  const logEvent = log.events(platformEvents)
  endOnBug(logEvent)
  const { commit, committedAt } = BUILD
  const build = { commit, committed_at: committedAt, node: process.version }
  logEvent('server_starting', { profile: env.profile, role: env.role, ...build, config: hashConfig(config) })
  const onProgress = (stage: string) => console.log(`… ${stage}`)
  const tracing = env.tracing && (await openTracing({ ...origin, ...env.tracing }))
  const server = await startServer(config, { ...options, log, tracing, onProgress }).catch((error: unknown) => {
    if (isForOperator(error)) throw error
    logEvent('start_failed', { err: error })
    process.exit(1)
  })
  endOnSignals(process, {
    async stop() {
      logEvent('server_stopping', { drain_ms: env.drainMs })
      const stoppingMs = performance.now()
      const left = await server.stop()
      logEvent('server_stopped', { ms: Math.round(performance.now() - stoppingMs) })
      return left
    },
    cutDrainShort: server.cutDrainShort,
    onLeft: (parts) => logEvent('stop_incomplete', { parts }),
  })
  logEvent('server_ready', { url: server.url, ms: Math.round(performance.now() - startedMs) })
  console.log(`ready ${server.url}`)
  return server
}

/** Loads the SDK only where the operator has named a collector. */
async function openTracing(options: TracingOptions): Promise<Tracing> {
  const { openTracing: open } = await import('./platform/tracing/open-tracing.ts')
  return open(options)
}

/** After an error that nothing has caught, the state of the process is unknown. */
function endOnBug(logEvent: LogEvent<PlatformEvents>): void {
  for (const source of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(source, (error: unknown) => {
      logEvent('process_failed', { source, err: error })
      process.exit(1)
    })
  }
}
