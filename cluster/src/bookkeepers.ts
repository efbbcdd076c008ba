import { hash } from 'node:crypto'
import { join } from 'node:path'
import { openPostgresDatabase } from '@clearwell/ledger/postgres-database'
import { freePort } from '@clearwell/server/src/platform/http/ports.ts'
import { privateKeyToAddress } from 'viem/accounts'
import { type Program, startProgram, tailOf, until } from './program.ts'

const MAIN = join(import.meta.dirname, '../../bookkeeper/src/main.ts')
const READY_MS = 60_000
/** A local cluster has its own chain, which begins with the vault. */
const FIRST_BLOCK = '0'

/** Keys that everyone knows, as those of the local profile. */
const localKey = (what: string) => `0x${hash('sha256', `clearwell local ${what}`)}` as const

/** One bookkeeper of a local cluster: a process with its own key, store and port. */
export interface LocalBookkeeper {
  readonly name: string
  /** In lower case. */
  readonly address: string
  /** The variables by which the servers know it. */
  readonly serverVariables: Readonly<Record<string, string>>
  /** Starts it, and waits until it serves. Servers must run. */
  start(reading: BookkeeperSources): Promise<void>
  /** SIGKILL. */
  kill(): Promise<void>
}

/** Where a bookkeeper reads the ledger and the chain. */
export interface BookkeeperSources {
  readonly serverUrl: string
  readonly rpcUrl: string
  readonly vault: string
  /** A file in PEM: the authority of the servers' certificates. */
  readonly authority: string
}

/** Chooses the ports and the keys of two bookkeepers. @param host the address that they listen on. */
export async function localBookkeepers(folder: string, host: string): Promise<readonly LocalBookkeeper[]> {
  return [
    localBookkeeper({ folder, host, port: await freePort(), name: 'bookkeeper-1', suffix: '' }),
    localBookkeeper({ folder, host, port: await freePort(), name: 'bookkeeper-2', suffix: '_2' }),
  ]
}

function localBookkeeper(of: {
  readonly folder: string
  readonly host: string
  readonly port: number
  readonly name: string
  readonly suffix: string
}): LocalBookkeeper {
  const { folder, host, port, name, suffix } = of
  const [key, token] = [localKey(name), localKey(`${name} token`)]
  const address = privateKeyToAddress(key).toLowerCase()
  let running: Program | undefined
  return {
    name,
    address,
    serverVariables: {
      [`BOOKKEEPER_URL${suffix}`]: `http://${host}:${port}`,
      [`BOOKKEEPER_ADDRESS${suffix}`]: address,
      [`BOOKKEEPER_TOKEN${suffix}`]: token,
    },
    async start({ serverUrl, rpcUrl, vault, authority }) {
      const program = startProgram({
        command: [process.execPath, MAIN],
        cwd: folder,
        logFile: join(folder, `${name}.log`),
        env: {
          SERVER_URL: serverUrl,
          NODE_EXTRA_CA_CERTS: authority,
          BOOKKEEPER_TOKEN: token,
          BOOKKEEPER_KEY: key,
          BOOKKEEPER_DIR: join(folder, name),
          PROOF_DATA_KEY: localKey('proof data'),
          CHAIN_RPC_URL: rpcUrl,
          VAULT_ADDRESS: vault,
          VAULT_BLOCK: FIRST_BLOCK,
          HOST: host,
          PORT: `${port}`,
        },
      })
      running = program
      await until(`the start of ${name}`, () => serves(`http://${host}:${port}`, program), { withinMs: READY_MS })
    },
    kill: async () => running?.end('SIGKILL'),
  }
}

async function serves(url: string, program: Program): Promise<boolean> {
  if (program.hasEnded()) throw new Error(`the bookkeeper has ended:\n${await tailOf(program.logFile)}`)
  return fetch(`${url}/status`).then(
    ({ ok }) => ok,
    () => false,
  )
}

/** Reads the vault that the ledger belongs to. */
export async function readVault(databaseUrl: string): Promise<string> {
  const db = await openPostgresDatabase(databaseUrl, { maxConnections: 1 })
  try {
    const [row] = await db.query<{ vault: string }>('select vault from watched_vaults')
    if (!row) throw new Error('no server has bound the ledger to a vault yet')
    return row.vault
  } finally {
    await db.close()
  }
}
