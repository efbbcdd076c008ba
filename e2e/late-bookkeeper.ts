import { spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@clearwell/server/src/platform/http/ports.ts'
import { privateKeyToAddress } from 'viem/accounts'

const MAIN = join(import.meta.dirname, '../bookkeeper/src/main.ts')
const KEY = `0x${'b7'.repeat(32)}` as const
const TOKEN = `0x${'77'.repeat(32)}`
const DATA_KEY = `0x${'5a'.repeat(32)}`

/** A bookkeeper that its server knows from the start, and that starts when a test says so. */
export interface LateBookkeeper {
  /** The variables of its server. */
  readonly variables: Readonly<Record<string, string>>
  start(of: { readonly serverUrl: string; readonly chainPort: number; readonly vault: string }): void
  stop(): Promise<void>
}

export async function chooseLateBookkeeper(): Promise<LateBookkeeper> {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'clearwell-e2e-book-'))
  let end = async () => {}
  return {
    variables: {
      BOOKKEEPER_URL: `http://127.0.0.1:${port}`,
      BOOKKEEPER_ADDRESS: privateKeyToAddress(KEY),
      BOOKKEEPER_TOKEN: TOKEN,
      PROOF_DATA_KEY: DATA_KEY,
    },
    start({ serverUrl, chainPort, vault }) {
      const env = {
        ...{ SERVER_URL: serverUrl, BOOKKEEPER_TOKEN: TOKEN, BOOKKEEPER_KEY: KEY, PROOF_DATA_KEY: DATA_KEY },
        ...{ CHAIN_RPC_URL: `http://127.0.0.1:${chainPort}`, VAULT_ADDRESS: vault, VAULT_BLOCK: '0' },
        ...{ BOOKKEEPER_DIR: folder, PORT: `${port}` },
      }
      const child = spawn(process.execPath, [MAIN], { env, stdio: 'ignore' })
      end = () =>
        new Promise((resolve) => {
          child.once('exit', () => resolve())
          child.kill('SIGTERM')
        })
    },
    async stop() {
      await end()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
