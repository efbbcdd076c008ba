import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { ConfigError } from './config/config-error.ts'
import { type Config, loadConfig } from './load-config.ts'
import { DataFolderInUse } from './platform/database/data-folder-lock.ts'
import { createLog, type Log } from './platform/log/log.ts'
import { secretRemover } from './platform/log/secrets.ts'
import { endOnSignals } from './platform/process/end-on-signals.ts'
import { type StartOptions, startServer } from './server.ts'

type ProcessOptions = Pick<StartOptions, 'apiOnly' | 'people'>

/**
 * Runs a server as this process, until a signal ends it. The start is shown on stdout, and the log goes to stderr.
 *
 * @param readOptions reads the command line, and may throw a `ConfigError`.
 */
export async function runServer(readOptions: () => ProcessOptions): Promise<void> {
  try {
    await run(await loadConfig(process.env), readOptions())
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

async function run(config: Config, options: ProcessOptions): Promise<void> {
  const { env } = config
  const isTerminal = process.stderr.isTTY === true
  const log = createLog({ level: env.logLevel, redact: secretRemover(env), isTerminal })
  endOnBug(log)
  const onProgress = (stage: string) => console.log(`… ${stage}`)
  const server = await startServer(config, { ...options, log, onProgress }).catch((error: unknown) => {
    if (isForOperator(error)) throw error
    log.fatal({ err: error }, 'the server could not start')
    process.exit(1)
  })
  endOnSignals(process, {
    async stop() {
      log.info({ drain_ms: env.drainMs }, 'stopping')
      return server.stop()
    },
    cutDrainShort: server.cutDrainShort,
    onLeft: (parts) => log.error({ parts }, 'some parts did not stop in time'),
  })
  log.info({ url: server.url, profile: env.profile, database: server.db.kind }, 'ready')
  console.log(`ready ${server.url}`)
}

/** After an error that nothing has caught, the state of the process is unknown. */
function endOnBug(log: Log): void {
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      log.fatal({ err: error }, event)
      process.exit(1)
    })
  }
}
