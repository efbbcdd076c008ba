import { ConfigError } from './config/config-error.ts'
import { loadConfig } from './load-config.ts'
import { DataFolderInUse } from './platform/database/data-folder-lock.ts'
import { startServer } from './server.ts'

/** `npm start`: everything, until a signal ends it. */
const apiOnly = process.argv.includes('--dev')

const onError = (error: unknown, doing: string) => console.error(`[${new Date().toISOString()}] ${doing}:`, error)

try {
  const config = await loadConfig(process.env)
  const server = await startServer(config, { apiOnly, onError, onProgress: (doing) => console.log(`… ${doing}`) })
  let ending = false
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (ending) return
      ending = true
      void server.stop().then(() => process.exit(0))
    })
  }
  console.log(`ready ${server.url}`)
} catch (error) {
  // What an operator can put right is said in one sentence; anything else is a bug and keeps its trace.
  if (error instanceof ConfigError || error instanceof DataFolderInUse) console.error(error.message)
  else console.error('The server could not start.', error)
  process.exit(1)
}
