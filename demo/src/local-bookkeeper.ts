import { fork } from 'node:child_process'
import { hash } from 'node:crypto'
import { join } from 'node:path'
import { freePort } from '@clearwell/server/src/platform/http/ports.ts'
import { LOCAL_BOOKKEEPER_KEY } from '@clearwell/server/src/platform/signer/proof-keys.ts'
import type { RunningServer } from '@clearwell/server/src/server.ts'
import { privateKeyToAddress } from 'viem/accounts'

const MAIN = join(import.meta.dirname, '../../bookkeeper/src/main.ts')
const FOLDER = 'bookkeeper'

/** The keys of the local profile. Everyone knows them. */
const localKey = (what: string) => `0x${hash('sha256', `clearwell local ${what}`)}` as const
const [KEY, TOKEN] = [LOCAL_BOOKKEEPER_KEY, localKey('bookkeeper token')]

type Variables = Readonly<Record<string, string | undefined>>

/** The variables by which a server knows its bookkeeper. */
export interface BookkeeperVariables {
  readonly BOOKKEEPER_URL: string
  readonly BOOKKEEPER_ADDRESS: string
  readonly BOOKKEEPER_TOKEN: string
}

/**
 * Chooses the port of a bookkeeper for a local server.
 *
 * @returns `undefined` outside the local profile, with `PROOFS=off` or `LOCAL_BOOKKEEPER=off`, and where the environment names a bookkeeper.
 */
export async function chooseBookkeeper(variables: Variables): Promise<BookkeeperVariables | undefined> {
  const { PROFILE = 'local', PROOFS, LOCAL_BOOKKEEPER, BOOKKEEPER_URL } = variables
  if (PROFILE !== 'local' || PROOFS === 'off' || LOCAL_BOOKKEEPER === 'off' || BOOKKEEPER_URL) return undefined
  const url = `http://127.0.0.1:${await freePort()}`
  return { BOOKKEEPER_URL: url, BOOKKEEPER_ADDRESS: privateKeyToAddress(KEY), BOOKKEEPER_TOKEN: TOKEN }
}

/**
 * Starts the bookkeeper of a local server as another process, which ends with this one. Its store is in the server's data folder.
 *
 * @param onLine receives what it says, and that it has ended on its own account.
 * @returns what ends it.
 */
export function startBookkeeper(
  { url, rpcUrl, config, custody }: Pick<RunningServer, 'url' | 'rpcUrl' | 'config' | 'custody'>,
  { BOOKKEEPER_URL }: BookkeeperVariables,
  onLine: (line: string) => void,
): { stop(): Promise<void> } {
  const { proofDataKey, dataDir } = config.env
  const variables = {
    SERVER_URL: url,
    BOOKKEEPER_TOKEN: TOKEN,
    BOOKKEEPER_KEY: KEY,
    BOOKKEEPER_DIR: join(dataDir, FOLDER),
    PROOF_DATA_KEY: proofDataKey ? `0x${Buffer.from(proofDataKey).toString('hex')}` : localKey('proof data'),
    CHAIN_RPC_URL: rpcUrl,
    VAULT_ADDRESS: custody.vault,
    VAULT_BLOCK: `${custody.vaultBlock}`,
    PORT: new URL(BOOKKEEPER_URL).port,
  }
  // Its channel closes with this process, also when that is killed: then the bookkeeper ends too.
  const child = fork(MAIN, { env: variables, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  let isStopping = false
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (text: Buffer) => onLine(`bookkeeper: ${text.toString().trim()}`))
  child.once('exit', (code) => {
    if (!isStopping && code !== 0) onLine(`bookkeeper: it has ended with ${code}, so headers wait`)
  })
  child.unref()
  child.channel?.unref()
  return {
    async stop() {
      isStopping = true
      child.kill('SIGTERM')
      await ended
    },
  }
}
