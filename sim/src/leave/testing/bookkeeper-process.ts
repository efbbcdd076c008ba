import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { freePort } from '@clearwell/server/src/platform/http/ports.ts'
import type { TestServer } from '@clearwell/server/src/testing/server.ts'
import { privateKeyToAddress } from 'viem/accounts'

const MAIN = join(import.meta.dirname, '../../../../bookkeeper/src/main.ts')
const KEY = `0x${'b7'.repeat(32)}` as const
const TOKEN = `0x${'77'.repeat(32)}`
const DATA_KEY = `0x${'5a'.repeat(32)}`

/** A bookkeeper as its owner runs it: a process with a store, which gives paths to users. */
export interface BookkeeperProcess {
  /** The variables of its servers, which know it before it starts. */
  readonly variables: Readonly<Record<string, string>>
  readonly pathsUrl: string
  /** Starts it beside a server. @returns when it gives paths. @throws Error with its output if it ends before */
  start(server: TestServer, folder: string): Promise<void>
  stop(): Promise<void>
}

export async function chooseBookkeeperProcess(): Promise<BookkeeperProcess> {
  const [port, pathsPort] = [await freePort(), await freePort()]
  let stop = async () => {}
  return {
    variables: {
      BOOKKEEPER_URL: `http://127.0.0.1:${port}`,
      BOOKKEEPER_ADDRESS: privateKeyToAddress(KEY),
      BOOKKEEPER_TOKEN: TOKEN,
      PROOF_DATA_KEY: DATA_KEY,
    },
    pathsUrl: `http://127.0.0.1:${pathsPort}`,
    async start({ url, rpcUrl, custody }, folder) {
      const env = {
        ...{ SERVER_URL: url, CHAIN_RPC_URL: rpcUrl, BOOKKEEPER_DIR: folder },
        ...{ VAULT_ADDRESS: custody.vault, VAULT_BLOCK: `${custody.vaultBlock}` },
        ...{ BOOKKEEPER_TOKEN: TOKEN, BOOKKEEPER_KEY: KEY, PROOF_DATA_KEY: DATA_KEY },
        ...{ PORT: `${port}`, PATHS_PORT: `${pathsPort}` },
      }
      const child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'inherit'] })
      const gone = once(child, 'exit')
      stop = async () => {
        child.kill('SIGTERM')
        await gone
      }
      let output = ''
      await new Promise<void>((resolve, reject) => {
        child.stdout.on('data', (text: Buffer) => {
          output += text.toString()
          if (output.includes('users get their paths at')) resolve()
        })
        void gone.then(() => reject(new Error(`the bookkeeper did not start:\n${output}`)))
      })
    },
    stop: () => stop(),
  }
}
