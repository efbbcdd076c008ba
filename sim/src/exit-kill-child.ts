import { flushCompileCache } from 'node:module'
import { auditBooks } from '@clearwell/ledger/audit'
import type { Database } from '@clearwell/ledger/database'
import { startTestBookkeeper } from '@clearwell/server/src/features/wallet/testing/test-bookkeeper.ts'
import { loadConfig } from '@clearwell/server/src/load-config.ts'
import { startServer } from '@clearwell/server/src/server.ts'
import type { FromServer, ToServer } from './killed-messages.ts'
import { type KillingDatabase, killingDatabase } from './killing-database.ts'

/** The whole server with a vault with exits, as the test of exits kills it. Its bookkeeper signs every header. */
export type Facts = Awaited<ReturnType<typeof readFacts>>

const ROOTS = /\b(?:insert into|update) posted_roots\b/
const EXITS = /\b(?:insert into|update) (?:exits|exit_acts|exit_payments|exit_advances)\b/
const HEADERS = /\b(?:insert into|update) proof_(?:headers|header_bodies|heads)\b/
const PLANS = /\b(?:insert into|update) plans\b/

const bookkeeper = await startTestBookkeeper()
const config = await loadConfig({ ...process.env, ...bookkeeper.variables })
let unwatched: Database | undefined
let db: KillingDatabase | undefined
const server = await startServer(config, {
  apiOnly: true,
  // Each start after a kill waits until the lease of the one before has run out.
  leaseTtlMs: 600,
  watchDatabase(opened) {
    unwatched ??= opened
    const watched = killingDatabase(opened, undefined, db, {
      ...{ roots: ROOTS, exits: EXITS, headers: HEADERS, plans: PLANS },
    })
    db ??= watched
    return watched
  },
  onError: (error, task) => console.error(task, error),
})
// Beside the positions: it asks at any time.
if (unwatched) bookkeeper.serve(unwatched)

process.on('message', (message: ToServer) => void serve(message))
send({ kind: 'ready', url: server.url, vault: server.custody.vault })
// A process that is killed writes nothing at its end, and the next one is to find the code compiled.
flushCompileCache()

async function serve(message: ToServer): Promise<void> {
  if (!db || !unwatched) throw new Error('the server has opened no database')
  if (message.kind === 'facts') return send({ kind: 'facts', ...(await readFacts(unwatched, [...db.passed])) })
  await db.arm(message.killAt)
  return send({ kind: 'armed' })
}

/** Everything that the test checks after each start. */
async function readFacts(of: Database, passed: readonly string[]) {
  const vault = await of.query<{ asset: string; units: bigint }>(
    `select asset, units from balances where account = 'vault' and asset <> 'RT'`,
  )
  return {
    passed,
    faults: await auditBooks(of),
    /** The vault's holdings per asset, as the ledger has them. */
    owed: Object.fromEntries(vault.map(({ asset, units }) => [asset, -units])) as Readonly<Record<string, bigint>>,
    exits: await of.query<{ id: string; state: string }>('select id, state from exits'),
    acts: await of.query<{ user_id: string; kind: string }>(
      'select user_id, kind from exit_acts where not is_void order by block, log_index',
    ),
    payments: await of.query<{ user_id: string; asset: string; units: bigint; missing: bigint }>(
      'select user_id, asset, units, missing from exit_payments where taken_back_at is null',
    ),
    counted: await of.query<{ account: string; units: bigint }>('select account, units from counted_exits'),
    booked: await of.query<{ kind: string; reference: string }>(
      "select kind, reference from entries where kind like 'exit%' order by seq",
    ),
    headers: await of.query<{ number: bigint; previous: string; hash: string }>(
      'select number, previous, hash from proof_headers order by number',
    ),
    roots: await of.query<{ seq: bigint; number: bigint; is_void: boolean }>(
      'select seq, number, is_void from posted_roots order by seq',
    ),
    /** The numbers of headers on the chain. */
    posted: (await of.query<{ id: string }>('select id from proof_header_bodies where posted_at is not null')).map(
      ({ id }) => id,
    ),
    /** Trading counts from this one. */
    counted_root: (
      await of.query<{ seq: bigint }>('select seq from posted_roots join header_times on root_id = posted_roots.id')
    )[0]?.seq,
    advances: await of.query<{ user_id: string; asset: string; owed: bigint }>(
      'select user_id, asset, to_insurance + to_treasury as owed from exit_advances',
    ),
    plans: await of.query<{ user_id: string; status: string }>('select user_id, status from plans'),
    /** The owners of planned swaps that came due. */
    runs: (
      await of.query<{ user_id: string }>('select plans.user_id from plan_runs join plans on plans.id = plan_id')
    ).map(({ user_id }) => user_id),
  }
}

function send(message: FromServer<Facts>): void {
  process.send?.(message)
}
