import { ConfigError } from './config/config-error.ts'
import { type Config, loadConfig } from './load-config.ts'
import { DataFolderInUse } from './platform/database/data-folder-lock.ts'
import { createLog, type Log } from './platform/log/log.ts'
import { secretRemover } from './platform/log/secrets.ts'
import { endOnSignals } from './platform/process/end-on-signals.ts'
import { startServer } from './server.ts'

/** `npm start`: everything, until a signal ends it. The start is shown on stdout, and the log goes to stderr. */
const apiOnly = process.argv.includes('--dev')

try {
  await run(await loadConfig(process.env))
} catch (error) {
  if (!isForOperator(error)) throw error
  console.error(error.message)
  process.exit(1)
}

/** A fault that the operator can fix is one sentence. Anything else is a bug and keeps its trace. */
function isForOperator(error: unknown): error is Error {
  return error instanceof ConfigError || error instanceof DataFolderInUse
}

async function run(config: Config): Promise<void> {
  const { env } = config
  const isTerminal = process.stderr.isTTY === true
  const log = createLog({ level: env.logLevel, redact: secretRemover(env), isTerminal })
  endOnBug(log)
  const onProgress = (doing: string) => console.log(`… ${doing}`)
  const server = await startServer(config, { apiOnly, log, onProgress }).catch((error: unknown) => {
    if (isForOperator(error)) throw error
    log.fatal({ err: error }, 'the server could not start')
    process.exit(1)
  })
  endOnSignals(process, {
    async stop() {
      log.info('stopping')
      return server.stop()
    },
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
