import type { Database } from '@clearwell/ledger/database'
import { readLease } from '@clearwell/ledger/reads'
import { column, defineTable, type RowOf, until } from '@clearwell/ledger/table'
import type { Writer } from '@clearwell/ledger/writer'
import type { ServerRole } from '../../config/environment.ts'
import { type ConfigHashes, differingKeys } from '../../config/hash-config.ts'
import { COMMANDS_PATH } from './command-lines.ts'

export const servers = defineTable('servers', until('the server stops, or another one starts at its address'), {
  url: column.text,
  holder: column.text,
  started_at: column.time,
  config: column.json<ConfigHashes>(),
  version: column.optional(column.text),
  calls: column.optional(column.json<readonly string[]>()),
  role: column.text,
})

/** Keys that an alarm names. */
const LISTED_KEYS = 20

/** Description of a server for the others of its ledger. */
export interface ServerSelf {
  readonly config: ConfigHashes
  readonly version: string
  /** The paths of the calls that it takes from other servers. */
  readonly calls: readonly string[]
  readonly role: ServerRole
}

export interface Leader {
  readonly url: string
  readonly holder: string
  /** True if it knows the call that was asked for. A server that has not listed its calls counts as knowing each. */
  readonly takesCall: boolean
  /** True if it takes many commands in one request. A server that has not listed its calls is older than that. */
  readonly takesBatches: boolean
}

/** The servers of one ledger, as they find each other: through the database that they share. */
export interface ServerList {
  /** Stores where this server is reached, and what it is. A server that was at the same address before is gone. */
  enter(url: string, self: ServerSelf): Promise<void>
  leave(): Promise<void>
  /** This process's name: unguessable, and known only to the servers of this database. */
  readonly holder: string
  /**
   * Where the server is reached that writes, and its name; `undefined` while none does, or while it is this one.
   *
   * @param call the path of a call, which the other server may not know.
   */
  writer(call?: string): Promise<Leader | undefined>
  /**
   * The keys of the configuration that this server and the leader have differently, without those that the database overrules. None
   * while no other server leads.
   */
  configDifference(): Promise<{ readonly leader: string; readonly keys: readonly string[] } | undefined>
  /** Returns whether another server is listed that can lead. It may have been killed since. */
  hasOthers(): Promise<boolean>
  /** When the one that writes last gave a sign of life, as text that only changes with it. */
  writerSeenAt(): Promise<string | undefined>
}

/**
 * @param holder names this process in the writer's lease.
 * @param overruled keys of the configuration whose values are in the database, each with everything below it.
 */
export function createServerList(db: Database, holder: string, overruled: readonly string[]): ServerList {
  const counts = (key: string) => !overruled.some((each) => key === each || key.startsWith(`${each}.`))
  return {
    async enter(url, { config, version, calls, role }) {
      await db.query(
        `insert into servers (url, holder, config, version, calls, role) values ($1, $2, $3::jsonb, $4, $5::jsonb, $6)
         on conflict (url) do update set holder = excluded.holder, started_at = excluded.started_at,
           config = excluded.config, version = excluded.version, calls = excluded.calls, role = excluded.role`,
        [url, holder, JSON.stringify(config), version, JSON.stringify(calls), role],
      )
    },
    async configDifference() {
      const lease = await readLease(db)
      const rows = await db.query<Pick<RowOf<typeof servers>, 'url' | 'holder' | 'config'>>(
        'select url, holder, config from servers where holder in ($1, $2)',
        [holder, lease?.holder ?? ''],
      )
      const own = rows.find((row) => row.holder === holder)
      const leader = rows.find((row) => row.holder !== holder)
      if (!own || !leader) return undefined
      const keys = differingKeys(own.config, leader.config).filter(counts)
      return keys.length === 0 ? undefined : { leader: leader.url, keys }
    },
    async leave() {
      await db.query('delete from servers where holder = $1', [holder])
    },
    holder,
    async writer(call = '') {
      const [lease, servers] = await Promise.all([
        readLease(db),
        db.query<Leader>(
          `select url, holder, coalesce(jsonb_exists(calls, $2), true) as "takesCall",
             coalesce(jsonb_exists(calls, $3), false) as "takesBatches" from servers where holder <> $1`,
          [holder, call, COMMANDS_PATH],
        ),
      ])
      return servers.find((server) => server.holder === lease?.holder)
    },
    async hasOthers() {
      const [row] = await db.query<{ has: boolean }>(
        `select exists (select from servers where holder <> $1 and role <> 'web') as has`,
        [holder],
      )
      return row?.has ?? false
    },
    async writerSeenAt() {
      return (await readLease(db))?.renewedAt
    },
  }
}

/** Waits until this server writes or another one does. A leader that was killed holds its lease a moment longer. */
export async function untilWriting(
  writer: Pick<Writer, 'isWriting'>,
  servers: Pick<ServerList, 'writerSeenAt'>,
  leaseTtlMs: number,
): Promise<void> {
  const deadline = Date.now() + leaseTtlMs + 2_000
  const seenAt = await servers.writerSeenAt()
  while (!writer.isWriting && Date.now() < deadline && (await servers.writerSeenAt()) === seenAt)
    await new Promise((resolve) => setTimeout(resolve, 50))
}

/** Raised while a server and the leader have different configurations. It names keys, never values. */
export async function configDiffers(servers: Pick<ServerList, 'configDifference'>): Promise<string | undefined> {
  const found = await servers.configDifference()
  if (!found) return undefined
  const { leader, keys } = found
  const [listed, more] = [keys.slice(0, LISTED_KEYS), keys.length - LISTED_KEYS]
  const rest = more > 0 ? ` and ${more} more` : ''
  return `this server and the leader at ${leader} have different values of ${listed.join(', ')}${rest}`
}
