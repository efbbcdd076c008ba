import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { createPublicClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type Bookkeeper, openBookkeeper } from './bookkeeper.ts'
import { pathCalls } from './path-calls.ts'
import { pullBatch } from './pull-batch.ts'
import { createPathServer } from './serve-paths.ts'
import { createStatementServer } from './serve-statements.ts'
import type { Settings } from './settings.ts'
import { createVaultNode } from './vault-node.ts'
import { checkByNode } from './wallet-signatures.ts'

/** Between two requests to the server, in milliseconds. */
const EVERY_MS = 1_000
const POSTS_EVERY_MS = 15_000

export interface RunningBookkeeper {
  readonly address: string
  readonly url: string
  /** Where users get their paths. */
  readonly pathsUrl: string | undefined
  stop(): Promise<void>
}

/**
 * Runs until it is stopped: pulls the ledger, stores it, judges its headers, and serves the statements.
 *
 * @param onLine receives what an operator wants to read: each refusal, and each new reason to wait.
 */
export async function runBookkeeper(settings: Settings, onLine: (text: string) => void): Promise<RunningBookkeeper> {
  const { rpcUrl, vault, replaced = [], startBlock, dataSecret, folder, host, port } = settings
  const key = privateKeyToAccount(settings.key)
  const chainId = await createPublicClient({ transport: http(rpcUrl) }).getChainId()
  const bookkeeper = await openBookkeeper({
    ...{ folder, key, dataSecret, startBlock, replaced, expected: { chainId, vault } },
    openNode: (head) => createVaultNode(rpcUrl, head, replaced),
    nowMs: () => Date.now(),
  })
  let waiting: string | undefined
  const server = createStatementServer(bookkeeper, () => ({ address: key.address, waiting }))
  server.listen(port, host)
  await once(server, 'listening')
  const paths = await servePaths(bookkeeper, settings, chainId)
  const stopping = new AbortController()

  /** Returns true if the server may have more right now. */
  async function step(): Promise<boolean> {
    const { refusals } = bookkeeper
    const known = refusals.at(-1)?.number
    const before = bookkeeper.stored
    const batch = await pullBatch(settings, before)
    await bookkeeper.take(batch)
    const reason = await bookkeeper.advance()
    const last = bookkeeper.refusals.at(-1)
    if (last && last.number !== known) onLine(`refused header ${last.number}: ${last.refusal?.reason}`)
    note(reason)
    return reason === undefined && batch.lines.length > 0
  }

  function note(reason: string | undefined): void {
    if (reason !== undefined && reason !== waiting) onLine(`waiting: ${reason}`)
    waiting = reason
  }

  async function run(): Promise<void> {
    let postsAtMs = 0
    while (!stopping.signal.aborted) {
      if (Date.now() >= postsAtMs) {
        postsAtMs = Date.now() + POSTS_EVERY_MS
        // Also while the server is gone: then its last header matters most.
        await bookkeeper.readPosts().catch((error: Error) => note(error.message))
      }
      const hasMore = await step().catch((error: Error) => {
        note(error.message)
        return false
      })
      if (!hasMore) await wait(EVERY_MS, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }

  const running = run()
  return {
    address: key.address,
    pathsUrl: paths && `http://${settings.paths?.host}:${(paths.address() as AddressInfo).port}`,
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    async stop() {
      stopping.abort()
      await running
      for (const each of [server, paths]) {
        each?.closeAllConnections()
        each?.close()
      }
      await bookkeeper.close()
    },
  }
}

/** Opens the port where users get their paths, if there is one. */
async function servePaths(
  bookkeeper: Bookkeeper,
  { paths, rpcUrl }: Settings,
  chainId: number,
): Promise<Server | undefined> {
  if (!paths) return undefined
  const nowMs = () => Date.now()
  const calls = pathCalls(bookkeeper, { url: paths.url, chainId, nowMs, check: checkByNode(rpcUrl) })
  const server = createPathServer(calls, nowMs)
  server.listen(paths.port, paths.host)
  await once(server, 'listening')
  return server
}
