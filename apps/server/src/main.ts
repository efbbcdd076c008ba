import { ConfigError } from './config/config-error.ts'
import { loadConfig } from './load-config.ts'
import { DataFolderInUse } from './platform/database/data-folder-lock.ts'
import { endOnSignals } from './platform/process/end-on-signals.ts'
import { startServer } from './server.ts'

/** `npm start`: everything, until a signal ends it. */
const apiOnly = process.argv.includes('--dev')

const onError = (error: unknown, doing: string) => console.error(`[${new Date().toISOString()}] ${doing}:`, error)

try {
  const config = await loadConfig(process.env)
  const server = await startServer(config, { apiOnly, onError, onProgress: (doing) => console.log(`… ${doing}`) })
  endOnSignals(process, {
    stop: server.stop,
    onLeft: (parts) => console.error(`These parts did not stop in time: ${parts.join(', ')}.`),
  })
  console.log(`ready ${server.url}`)
} catch (error) {
  // A fault that the operator can fix is one sentence; anything else is a bug and keeps its trace.
  if (error instanceof ConfigError || error instanceof DataFolderInUse) console.error(error.message)
  else console.error('The server could not start.', error)
  process.exit(1)
}
