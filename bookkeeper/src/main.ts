import { privateKeyToAddress } from 'viem/accounts'
import { publishKeys } from './print-keys.ts'
import { runBookkeeper } from './run-bookkeeper.ts'
import { readKey, readSettings } from './settings.ts'

/** `npm run bookkeeper`: see ../README.md. */
const say = (text: string) => console.log(`${new Date().toISOString()} ${text}`)

/** `address` prints the address of the key, which the servers have to know before the first start. */
function printAddress(): void {
  console.log(privateKeyToAddress(readKey(process.env)))
}

async function run(): Promise<void> {
  const bookkeeper = await runBookkeeper(readSettings(process.env), say)
  say(`bookkeeper ${bookkeeper.address} serves ${bookkeeper.url}`)
  if (bookkeeper.pathsUrl) say(`users get their paths at ${bookkeeper.pathsUrl}`)
  const end = () => void bookkeeper.stop().then(() => process.exit(0))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end)
  // The process that has started it as a child is gone.
  process.once('disconnect', end)
}

try {
  if (process.argv[2] === 'address') printAddress()
  // Once the vault has ended: the keys of the proof data, for everyone.
  else if (process.argv[2] === 'keys') console.log(JSON.stringify(await publishKeys(process.env), null, 2))
  else await run()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
