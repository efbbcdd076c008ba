import { runBookkeeper } from './run-bookkeeper.ts'
import { readSettings } from './settings.ts'

/** `npm run bookkeeper`: see ../README.md. */
const say = (text: string) => console.log(`${new Date().toISOString()} ${text}`)

try {
  const bookkeeper = await runBookkeeper(readSettings(process.env), say)
  say(`bookkeeper ${bookkeeper.address} serves ${bookkeeper.url}`)
  const end = () => void bookkeeper.stop().then(() => process.exit(0))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end)
  // The process that has started it as a child is gone.
  process.once('disconnect', end)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
