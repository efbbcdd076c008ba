import { ConfigError } from '@clearwell/server/src/config/config-error.ts'
import { DEFAULT_DATA_DIR, VAULT_KINDS } from '@clearwell/server/src/config/environment.ts'
import { readWords, runServer } from '@clearwell/server/src/run-server.ts'
import { chooseBookkeeper, startBookkeeper } from './local-bookkeeper.ts'
import { chooseVaultKind, LOCAL_POSTER_KEY } from './local-vault-kind.ts'
import { createPeople } from './people.ts'

/** `npm start` in the local profile: the whole server with its simulated people, and a bookkeeper. */
const DEMO = { users: 500, days: 60, seed: 60 }

/** `--demo` fills a new ledger with simulated activity; `--demo-users` and `--demo-days` make it smaller. */
const bookkeeper = await chooseBookkeeper(process.env)
Object.assign(process.env, bookkeeper)
if (bookkeeper) {
  const isSimulated = process.argv.includes('--demo')
  const asked = VAULT_KINDS.find((kind) => kind === process.env.VAULT_KIND)
  const kind = await chooseVaultKind(process.env.DATA_DIR || DEFAULT_DATA_DIR, { asked, isSimulated })
  process.env.VAULT_KIND ||= kind
  process.env.POSTER_PRIVATE_KEY ||= LOCAL_POSTER_KEY
}
const server = await runServer(() => {
  const number = { type: 'string' } as const
  const flag = { type: 'boolean' } as const
  const words = readWords({ dev: flag, demo: flag, 'demo-users': number, 'demo-days': number })
  const demo = words.demo
    ? {
        ...DEMO,
        users: readCount('demo-users', words['demo-users'], { fallback: DEMO.users, most: 2_000 }),
        days: readCount('demo-days', words['demo-days'], { fallback: DEMO.days, most: 365 }),
      }
    : undefined
  return { apiOnly: words.dev ?? false, people: createPeople(demo) }
})
if (bookkeeper) startBookkeeper(server, bookkeeper, console.error)

/** @throws ConfigError */
function readCount(
  name: string,
  text: string | undefined,
  { fallback, most }: { fallback: number; most: number },
): number {
  const count = Number(text ?? fallback)
  if (Number.isInteger(count) && count >= 1 && count <= most) return count
  throw new ConfigError(`--${name} is "${text}", it must be a whole number from 1 to ${most}.`)
}
