import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Hex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { freePort } from '../platform/http/ports.ts'

const MAIN = join(import.meta.dirname, '../../../../bookkeeper/src/main.ts')
const KEY: Hex = `0x${'b7'.repeat(32)}`
const TOKEN = `0x${'77'.repeat(32)}`
const DATA_KEY = `0x${'5a'.repeat(32)}`

/** A bookkeeper as its owner runs it: a process with a store, which gives paths to users. Servers know it before it starts. */
export interface BookkeeperProcess {
  /** The variables of its servers. */
  readonly variables: Readonly<
    Record<'BOOKKEEPER_URL' | 'BOOKKEEPER_ADDRESS' | 'BOOKKEEPER_TOKEN' | 'PROOF_DATA_KEY', string>
  >
  readonly pathsUrl: string
  /** Starts it. @returns when it gives paths. @throws Error with its output if it ends before */
  start(of: BookkeeperSite): Promise<void>
  /** Ends it, if it was started. */
  stop(): Promise<void>
}

export interface BookkeeperSite {
  readonly serverUrl: string
  readonly rpcUrl: string
  readonly vault: string
  /** The vaults that the ledger has left. */
  readonly replaced?: readonly string[]
  readonly vaultBlock: bigint
  /** The folder of its store. */
  readonly folder: string
}

/** @param key its private key: the vault has to know its address. */
export async function chooseBookkeeperProcess(key = KEY): Promise<BookkeeperProcess> {
  const [port, pathsPort] = [await freePort(), await freePort()]
  let stop = async () => {}
  return {
    variables: {
      BOOKKEEPER_URL: `http://127.0.0.1:${port}`,
      BOOKKEEPER_ADDRESS: privateKeyToAddress(key),
      BOOKKEEPER_TOKEN: TOKEN,
      PROOF_DATA_KEY: DATA_KEY,
    },
    pathsUrl: `http://127.0.0.1:${pathsPort}`,
    async start({ serverUrl, rpcUrl, vault, replaced = [], vaultBlock, folder }) {
      const env = {
        ...{ SERVER_URL: serverUrl, CHAIN_RPC_URL: rpcUrl, BOOKKEEPER_DIR: folder },
        ...{ VAULT_ADDRESS: vault, VAULT_BLOCK: `${vaultBlock}`, REPLACED_VAULTS: replaced.join() },
        ...{ BOOKKEEPER_TOKEN: TOKEN, BOOKKEEPER_KEY: key, PROOF_DATA_KEY: DATA_KEY },
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
