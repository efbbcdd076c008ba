import { parseArgs } from 'node:util'
import { ConfigError } from './config/config-error.ts'
import { type Config, loadConfig } from './load-config.ts'
import { DataFolderInUse } from './platform/database/data-folder-lock.ts'
import { createLog, type Log } from './platform/log/log.ts'
import { secretRemover } from './platform/log/secrets.ts'
import { endOnSignals } from './platform/process/end-on-signals.ts'
import { startServer } from './server.ts'

/** `npm start`: everything, until a signal ends it. The start is shown on stdout, and the log goes to stderr. */
const apiOnly = process.argv.includes('--dev')
const DEMO = { users: 500, days: 60, seed: 60 }

try {
  await run(await loadConfig(process.env), readDemo(process.argv.slice(2)))
} catch (error) {
  if (!isForOperator(error)) throw error
  console.error(error.message)
  process.exit(1)
}

/** A fault that the operator can fix is one sentence. Anything else is a bug and keeps its trace. */
function isForOperator(error: unknown): error is Error {
  return error instanceof ConfigError || error instanceof DataFolderInUse
}

/**
 * `--demo` fills a new local ledger with simulated activity; `--demo-users` and `--demo-days` make it smaller.
 *
 * @throws ConfigError
 */
function readDemo(words: readonly string[]): typeof DEMO | undefined {
  const { values } = parseWords(words.filter((word) => word !== '--dev'))
  if (!values.demo) return undefined
  const read = (name: 'demo-users' | 'demo-days', fallback: number, most: number) => {
    const count = Number(values[name] ?? fallback)
    if (Number.isInteger(count) && count >= 1 && count <= most) return count
    throw new ConfigError(`--${name} is "${values[name]}", it must be a whole number from 1 to ${most}.`)
  }
  return { ...DEMO, users: read('demo-users', DEMO.users, 2_000), days: read('demo-days', DEMO.days, 365) }
}

function parseWords(args: string[]) {
  const number = { type: 'string' } as const
  const options = { demo: { type: 'boolean' }, 'demo-users': number, 'demo-days': number } as const
  try {
    return parseArgs({ args, options })
  } catch (error) {
    throw new ConfigError((error as Error).message)
  }
}

async function run(config: Config, demo: typeof DEMO | undefined): Promise<void> {
  const { env } = config
  if (demo && env.profile !== 'local')
    throw new ConfigError('--demo fills in simulated users: it exists in the local profile only.')
  const isTerminal = process.stderr.isTTY === true
  const log = createLog({ level: env.logLevel, redact: secretRemover(env), isTerminal })
  endOnBug(log)
  const onProgress = (stage: string) => console.log(`… ${stage}`)
  const server = await startServer(config, { apiOnly, log, onProgress, ...(demo ? { demo } : {}) }).catch(
    (error: unknown) => {
      if (isForOperator(error)) throw error
      log.fatal({ err: error }, 'the server could not start')
      process.exit(1)
    },
  )
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
