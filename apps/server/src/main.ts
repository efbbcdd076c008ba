import { ConfigError } from './config/config-error.ts'
import { readWords, runServer } from './run-server.ts'

/** The server alone. In the local profile `npm start` runs `demo/src/main.ts` instead, which adds simulated people. */
await runServer(() => {
  if (process.argv.includes('--demo'))
    throw new ConfigError('--demo fills in simulated users: `npm start -- --demo` has them, in the local profile only.')
  const { dev = false } = readWords({ dev: { type: 'boolean' } })
  return { apiOnly: dev }
})
