import { randomBytes, randomUUID } from 'node:crypto'
import type { Database } from '@clearwell/ledger/database'
import { raiseBatch } from '@clearwell/ledger/lease'
import { readTip } from '@clearwell/ledger/reads'
import { Writer } from '@clearwell/ledger/writer'
import { inviters } from '../../domain/members/memberships.ts'
import { listPaymentKeys } from '../../features/exit/book-payment.ts'
import { readRoots } from '../../features/exit/exit-follower.ts'
import { listChangeKeys, passChanges } from '../../features/exit/follow-exits.ts'
import { newUser } from '../../features/session/sign-in.ts'
import { createUserStore } from '../../features/session/user.store.ts'
import { exitPayments } from '../../platform/custody/exit-payments.ts'
import { givePlaces } from '../../platform/custody/proof-places.ts'
import { type RestoreRow, restores } from '../../platform/ledger/restores.ts'
import { ownersIn } from './entry-kinds.ts'
import type { ChainOfRestore } from './find-payments.ts'
import { type ImportRules, importEntries, leave } from './import-entries.ts'
import { type BookedExits, beginRestore, finishRestore } from './import-headers.ts'
import type { RestorePlan } from './plan-restore.ts'
import type { Store } from './read-store.ts'
import { continueDays } from './rebuild-days.ts'
import { lastRows, usersOf } from './rebuild-rows.ts'
import { RestoreRefused } from './restore-refused.ts'

const LEASE_TTL_MS = 3_000
const HELD = 'A server holds the lease: stop every server first.'

/**
 * Executes a restore while no server runs. An interruption is continued by the same command; until then no server starts.
 *
 * @throws RestoreRefused if a server holds the lease.
 */
export async function executeRestore(
  db: Database,
  { plan, found, store }: { readonly plan: RestorePlan; readonly found: ChainOfRestore; readonly store: Store },
  rules: Omit<ImportRules, 'restoreId'>,
): Promise<void> {
  // A header's number is that of its batch, and numbers only rise.
  const raised = { number: plan.newest?.number ?? 0n, ttlMs: LEASE_TTL_MS, force: db.kind === 'pglite' }
  if (!(await raiseBatch(db, raised))) throw new RestoreRefused(HELD)
  const clock = { at: rules.now, now: () => clock.at }
  const faults: unknown[] = []
  const writer = await Writer.open({
    ...{ db, clock, randomId: () => randomBytes(16).toString('hex'), holder: randomUUID(), leaseTtlMs: LEASE_TTL_MS },
    exclusive: db.kind === 'pglite',
    completion: givePlaces({ operator: rules.operator, known: (account) => store.accounts.get(account) }),
    onError: (error) => void faults.push(error),
  })
  try {
    if (!writer.isWriting) throw new RestoreRefused(HELD)
    const restore = await unfinishedRestore(db, plan, rules)
    await writer.execute(beginRestore(restore))
    await addUsers(db, plan, rules.now)
    await importEntries({ writer, clock }, plan, found.payments, { ...rules, restoreId: restore.id })
    const tip = await readTip(db)
    const expected = plan.entries.at(-1)?.hash
    if (expected !== undefined && `0x${Buffer.from(tip.hash).toString('hex')}` !== expected)
      throw new Error('the imported entries have another hash')
    await continueDays(db)
    clock.at = rules.now
    const { chainId, now, vault } = rules
    const roots = await readRoots(found.roots, {
      store: { ownHeaders: (headers) => ownHeaders(store, headers) },
    })
    const exits = await exitsOf(db, found, { store, chainId, vault })
    await writer.execute(
      finishRestore(plan, { chainId, change: store.change, restoreId: restore.id, now, roots, exits }),
    )
  } catch (error) {
    throw faults[0] ?? error
  } finally {
    await writer.close()
  }
}

/**
 * Adds the users of rows and activations who joined after the backup, inviters first. Their names are gone. A user of whom only other rows are in
 * a line gets no inviter.
 */
async function addUsers(db: Database, { rows: { lines }, bare }: RestorePlan, now: Date): Promise<void> {
  const store = createUserStore(db)
  const carried = new Map(lastRows(lines, inviters).map((row) => [row.id, row]))
  const add = async (id: string): Promise<void> => {
    if (await store.user(id)) return
    const own = carried.get(id)
    if (own?.parent_id) await add(own.parent_id)
    await store.insertUser({ ...newUser(id, now), ...own })
  }
  const payers = bare.flatMap(({ postings }) => ownersIn(postings).slice(0, 1))
  for (const id of [...carried.keys(), ...usersOf(lines), ...payers]) await add(id)
}

/** The exits that the watcher will not read again, as a command books them. Accounts that exist have a place, or are users of the backup. */
async function exitsOf(
  db: Database,
  { changes, exits: payments }: ChainOfRestore,
  { store, chainId, vault }: { readonly store: Pick<Store, 'accounts'> } & Pick<ImportRules, 'chainId' | 'vault'>,
): Promise<BookedExits> {
  const users = await db.query<{ id: string }>('select id from users where id = any($1::text[])', [
    changes.map(({ account }) => account),
  ])
  const known = new Set([...store.accounts.keys(), ...users.map(({ id }) => id)])
  const passed = { chainId, changes, known }
  return {
    preload: [...listChangeKeys(passed), ...payments.flatMap(listPaymentKeys)],
    book(draft, context) {
      passChanges(draft, context, passed)
      for (const payment of payments)
        if (!draft.row(exitPayments, payment.id)) leave(draft, context, payment, { chainId, vault })
    },
  }
}

/** Of these headers, returns the numbers of those that the store has with the same hash. */
async function ownHeaders(
  { headers: stored }: Pick<Store, 'headers'>,
  headers: readonly { readonly number: bigint; readonly headerHash: string }[],
): Promise<ReadonlySet<bigint>> {
  return new Set(
    headers.filter(({ number, headerHash }) => stored.get(number)?.hash === headerHash).map(({ number }) => number),
  )
}

/** Returns the row of a restore that was interrupted, with the end that the store has now, or a new one. */
async function unfinishedRestore(
  db: Database,
  { entries }: RestorePlan,
  { reason, now }: Pick<ImportRules, 'reason' | 'now'>,
): Promise<Omit<RestoreRow, 'finished_at'>> {
  const [before] = await db.query<RestoreRow>(
    `select ${restores.columns} from restores where finished_at is null order by from_seq limit 1`,
  )
  const tip = (await readTip(db)).seq
  const { finished_at: _, ...open } = before ?? {
    ...{ id: `${tip + 1n}`, from_seq: tip + 1n, reason, started_at: now, finished_at: null },
  }
  return { ...open, last_seq: tip, to_seq: entries.at(-1)?.seq ?? tip }
}
