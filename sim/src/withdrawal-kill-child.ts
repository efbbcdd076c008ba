import { flushCompileCache } from 'node:module'
import { auditBooks } from '@clearwell/ledger/audit'
import { loadConfig } from '@clearwell/server/src/load-config.ts'
import { startServer } from '@clearwell/server/src/server.ts'
import type { FromServer, ToServer } from './killed-messages.ts'
import { type KillingDatabase, killingDatabase } from './killing-database.ts'

/** The whole server, as the test of transfers out kills it. */
export interface Facts {
  readonly passed: readonly string[]
  readonly faults: readonly string[]
  readonly owed: Owed
}

/** The vault's holdings per asset, as the ledger has them. */
export type Owed = Readonly<Record<string, bigint>>

const config = await loadConfig(process.env)
let db: KillingDatabase | undefined
const server = await startServer(config, {
  apiOnly: true,
  // Each start after a kill waits until the lease of the one before has run out.
  leaseTtlMs: 600,
  watchDatabase(opened) {
    const watched = killingDatabase(opened, undefined, db)
    db ??= watched
    return watched
  },
  onError: (error, task) => console.error(task, error),
})

process.on('message', (message: ToServer) => void serve(message))
send({ kind: 'ready', url: server.url, vault: server.custody.vault })
// A process that is killed writes nothing at its end, and the next one is to find the code compiled.
flushCompileCache()

async function serve(message: ToServer): Promise<void> {
  if (!db) throw new Error('the server has opened no database')
  if (message.kind === 'arm') {
    await db.arm(message.killAt)
    return send({ kind: 'armed' })
  }
  const passed = [...db.passed]
  const rows = await server.db.query<{ asset: string; units: bigint }>(
    `select asset, units from balances where account = 'vault' and asset <> 'RT'`,
  )
  const owed = Object.fromEntries(rows.map(({ asset, units }) => [asset, -units]))
  send({ kind: 'facts', passed, faults: await auditBooks(server.db), owed })
}

function send(message: FromServer<Facts>): void {
  process.send?.(message)
}
